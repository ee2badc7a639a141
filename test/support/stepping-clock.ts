/**
 * Loaded before a program by `node --import`: its wall clock is off by as many milliseconds as the file that WALL_CLOCK_FILE names
 * says, from the next look at the file on. The monotonic clock and timers stay as they are, as when a machine's clock is set.
 */
import { readFileSync } from 'node:fs';

const file = process.env['WALL_CLOCK_FILE'];
if (file !== undefined) {
  const System = Date;
  let offset = 0;
  const look = (): void => {
    try {
      offset = Number(readFileSync(file, 'utf8'));
    } catch {
      offset = 0;
    }
  };
  look();
  setInterval(look, 20).unref();
  globalThis.Date = new Proxy(System, {
    get: (target, key) => (key === 'now' ? () => System.now() + offset : Reflect.get(target, key)),
    construct: (target, args, to) => Reflect.construct(target, args.length === 0 ? [System.now() + offset] : args, to) as object,
  });
}
