/**
 * Measures what a channel of alerts that hangs costs the order path: the time from a decision to cancel or close until the request is written, of a
 * bot without a channel, beside one with a channel that takes no message and gives no answer while each fill is an alert. Both run in turns, each
 * first in every second round. Promised: the 99th percentile grows by at most 5 %. Few requests decide a percentile, so rounds are drawn again and
 * again (bootstrap): the promise is kept or broken only if 95 of 100 draws are on one side. `npm run alerts:channel -- [rounds] [seconds]`
 * Ends with 0 if it is kept, with 1 if it is broken, with 2 if these rounds do not decide.
 */
import { Random } from '../src/base/random.ts';
import { exitLatency, FAULT_SETS, quantile, type Latencies } from '../test/support/latency/exit-latency.ts';
import { ntfyService } from '../test/support/monitor/alert-services.ts';

const PROMISED = 0.05;
const DRAWS = 2_000;
/** Fewer rounds say nothing of how much rounds differ. */
const ROUNDS_LEAST = 6;

const [rounds = 12, seconds = 20] = process.argv.slice(2).map(Number);
const none = FAULT_SETS.find(({ name }) => name === 'none')!;
const push = await ntfyService('tk');
push.always = 'hang';
const channels = `channels:\n  - { name: push, kind: ntfy, url: "${push.url}", topic: bot, token: tk }\n`;

interface Arm {
  readonly name: string;
  readonly channels: string;
  readonly runs: Latencies[];
}
const without: Arm = { name: 'no channel', channels: '', runs: [] };
const hanging: Arm = { name: 'a channel that hangs', channels, runs: [] };

for (let round = 0; round < rounds; round++)
  for (const arm of round % 2 === 0 ? [without, hanging] : [hanging, without])
    arm.runs.push(await exitLatency(none, seconds * 1_000, arm.channels));

const timesOf = ({ cancels, closes }: Latencies): readonly number[] => [...cancels, ...closes];
/** By how much the p99 of a channel that hangs is above that of none, over these rounds. */
function grown(chosen: readonly number[]): number {
  const p99 = ({ runs }: Arm): number =>
    quantile(
      chosen.flatMap((k) => timesOf(runs[k]!)),
      0.99,
    );
  return p99(hanging) / p99(without) - 1;
}

const all = [...without.runs.keys()];
const random = new Random(1);
const draws = Array.from({ length: DRAWS }, () => grown(all.map(() => random.below(rounds))));
const [least, most] = [quantile(draws, 0.025), quantile(draws, 0.975)];

console.log(`${''.padEnd(22)} requests    p50 ms    p99 ms   most ms   processor ms a request`);
for (const { name, runs } of [without, hanging]) {
  const times = runs.flatMap(timesOf);
  const figures = [0.5, 0.99, 1].map((q) => quantile(times, q).toFixed(2).padStart(9));
  const cpu = runs.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / times.length;
  console.log([name.padEnd(22), String(times.length).padStart(8), ...figures, cpu.toFixed(2).padStart(11)].join(' '));
}
console.log(`messages that the channel was asked to take: ${push.asked.length}`);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
console.log(`p99 grows by ${percent(grown(all))}; 95 of 100 draws of the rounds are between ${percent(least)} and ${percent(most)}`);
const isEnough = rounds >= ROUNDS_LEAST;
const isKept = isEnough && most <= PROMISED && push.asked.length > 0;
const isBroken = (isEnough && least > PROMISED) || push.asked.length === 0;
console.log(
  isKept
    ? 'kept: at most 5 %'
    : isBroken
      ? 'not kept: more than 5 %'
      : 'not decided by these rounds: give more of them, on a quiet machine',
);
await push.close();
process.exitCode = isKept ? 0 : isBroken ? 1 : 2;
