/**
 * Loaded before a program by `node --import`. Its wall clock is off by the number of milliseconds in the file named by WALL_CLOCK_FILE. The
 * monotonic clock and timers are unchanged, as when a machine's clock is set.
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
