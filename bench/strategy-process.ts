/**
 * What a strategy in a process of its own would cost: the round trip of a quote to a child process and of an order back, over the channel of
 * Node.js and over pipes. Neither side computes anything. `npm run round-trip`
 */
import { fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TRIPS = 20_000;
const WARM_UP = 2_000;
const QUOTE = { instrument: 0, bid: 600_000, ask: 600_001, bidSize: 12, askSize: 9, time: 1_700_000_000_000 };
const SELF = fileURLToPath(import.meta.url);

async function measured(name: string, trip: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let k = 0; k < TRIPS; k++) {
    const begin = process.hrtime.bigint();
    await trip();
    times.push(Number(process.hrtime.bigint() - begin) / 1_000);
  }
  const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
  console.info(`${name.padEnd(28)} p50 ${at(0.5)} us, p99 ${at(0.99)} us`);
}

if (process.argv[2] === 'channel') process.on('message', (message) => process.send!(message));
else if (process.argv[2] === 'pipes') process.stdin.on('data', (bytes) => process.stdout.write(bytes));
else {
  const child = fork(SELF, ['channel']);
  await measured('channel of Node.js, JSON', () => {
    const back = new Promise((resolve) => child.once('message', resolve));
    child.send(QUOTE);
    return back;
  });
  // What handlers may read: the positions, orders and last bars of a few symbols.
  const view = {
    ...QUOTE,
    orders: Array.from({ length: 20 }, (_, seq) => ({ seq, price: 600_000, size: 10, filled: 0, state: 'working' })),
  };
  await measured('the same with 20 orders', () => {
    const back = new Promise((resolve) => child.once('message', resolve));
    child.send(view);
    return back;
  });
  child.kill();
  const piped = spawn(process.execPath, [...process.execArgv, SELF, 'pipes'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const bytes = Buffer.alloc(64);
  await measured('pipes, 64 bytes', () => {
    const back = new Promise((resolve) => piped.stdout.once('data', resolve));
    piped.stdin.write(bytes);
    return back;
  });
  piped.kill();
}
