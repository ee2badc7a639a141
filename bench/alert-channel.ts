/**
 * Measures what a channel of alerts that hangs costs the order path: the time from a decision to cancel or close until the request is written, of a
 * bot without a channel, beside one with a channel that takes no message and gives no answer while each fill is an alert. Both run in turns. Promised:
 * the 99th percentile differs by at most 5 %. `npm run alerts:channel -- [rounds] [seconds]`
 */
import { exitLatency, FAULT_SETS, quantile } from '../test/support/latency/exit-latency.ts';
import { ntfyService } from '../test/support/monitor/alert-services.ts';

const [rounds = 4, seconds = 20] = process.argv.slice(2).map(Number);
const none = FAULT_SETS.find(({ name }) => name === 'none')!;
const push = await ntfyService('tk');
push.always = 'hang';
const channels = `channels:\n  - { name: push, kind: ntfy, url: "${push.url}", topic: bot, token: tk }\n`;
const [without, hanging]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round++) {
  for (const [all, text] of [
    [without, ''],
    [hanging, channels],
  ] as const) {
    const { cancels, closes } = await exitLatency(none, seconds * 1_000, text);
    all.push(...cancels, ...closes);
  }
}
const line = (name: string, ms: readonly number[]): string =>
  [name.padEnd(22), String(ms.length).padStart(8), ...[0.5, 0.99, 1].map((q) => quantile(ms, q).toFixed(2).padStart(9))].join(' ');
console.log(`${''.padEnd(22)} requests    p50 ms    p99 ms   most ms`);
console.log(line('no channel', without));
console.log(line('a channel that hangs', hanging));
console.log(`messages that the channel was asked to take: ${push.asked.length}`);
const share = quantile(hanging, 0.99) / quantile(without, 0.99) - 1;
console.log(`p99 differs by ${(share * 100).toFixed(1)} %`);
await push.close();
process.exitCode = share <= 0.05 && push.asked.length > 0 ? 0 : 1;
