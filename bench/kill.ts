/**
 * Measures the time of `kill` until all positions are closed, while 30 % of all requests are refused with a Retry-After of a minute.
 * Promised: 15 s.
 * `npm run kills` or `node bench/kill.ts [seeds] [first]`
 */
import { cleanUp } from '../test/e2e/process.ts';
import { quantile } from '../test/support/latency/exit-latency.ts';
import { killRun } from '../test/support/latency/kill-latency.ts';

const count = Number(process.argv[2] ?? 10);
const first = Number(process.argv[3] ?? 1);
const [flat, known]: [number[], number[]] = [[], []];
const seconds = (ms: number): string => (ms === Infinity ? 'never' : (ms / 1_000).toFixed(1)).padStart(7);
console.log('seed  orders  legs  refused  flat s  known s');
for (let seed = first; seed < first + count; seed++) {
  try {
    const run = await killRun({
      seed,
      share: 0.3,
      retryAfter: '60',
      withinMs: 120_000,
      settings: ['orderHorizonMs=60000', 'listLagMs=12000'],
    });
    flat.push(run.flatMs);
    known.push(run.knownMs);
    const numbers = [
      String(seed).padStart(4),
      String(run.orders).padStart(7),
      String(run.legs).padStart(5),
      String(run.refused).padStart(8),
    ];
    console.log([...numbers, seconds(run.flatMs), ` ${seconds(run.knownMs)}`].join(' '));
    if (process.env['SHOW'] !== undefined) console.log(run.bot.log.map((l) => JSON.stringify(l)).join('\n'));
  } finally {
    await cleanUp();
  }
}
for (const [name, values] of [
  ['flat', flat],
  ['known', known],
] as const) {
  console.log(`${name.padEnd(6)} p50 ${seconds(quantile(values, 0.5))} s, most ${seconds(Math.max(...values))} s`);
}
