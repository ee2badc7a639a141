/**
 * Measures an operator's halt on a busy bot: the time from the request to the answer, and until the last opening order reached the exchange,
 * by its ledger. Promised: in effect within 100 ms. `npm run halts` or `node bench/halts.ts [rounds] [page] [--json]`; with `page` it is STOP of the
 * dashboard, and the exchange refuses one open in three with 429.
 */
import { haltLatency } from '../test/support/latency/halt-latency.ts';
import { quantile } from '../test/support/latency/exit-latency.ts';

const PROMISED_MS = 100;
const rounds = Number(process.argv[2] ?? 60);
const way = process.argv[3] === 'page' ? ({ by: 'page', limitedEvery: 3 } as const) : ({ by: 'socket' } as const);
const { answers, lastOpens, late } = await haltLatency(rounds, way, (line) => console.error(line));
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ answerMs: quantile(answers, 0.95), lastOpenMs: quantile(lastOpens, 0.95), late }));
  process.exit();
}
const figure = (ms: readonly number[]): string => [0.5, 0.95, 1].map((q) => quantile(ms, q).toFixed(1).padStart(8)).join(' ');
console.log('milliseconds after the request:   p50,     p95,     most');
console.log(`answer                       ${figure(answers)}`);
console.log(`last open at the exchange    ${figure(lastOpens)}`);
console.log(`opens that left after the answer: ${late}`);
const isKept = late === 0 && quantile(lastOpens, 0.95) <= PROMISED_MS;
console.log(isKept ? `kept: in effect within ${PROMISED_MS} ms in 95 of 100` : `not kept: in effect within ${PROMISED_MS} ms in 95 of 100`);
process.exitCode = isKept ? 0 : 1;
