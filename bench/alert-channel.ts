/**
 * Measures what a channel of alerts that hangs costs the order path of one bot: from a decision to cancel or close until the request is written, while
 * each fill is an alert. In turns the channel takes messages, and takes none and gives no answer; every second pair of turns is the other way round.
 * What is judged is the processor time of the bot's thread between decision and request, which other programs of the machine do not lengthen.
 * Promised: its 99th percentile grows by at most 5 %. Turns are drawn again and again (bootstrap): the promise is kept or broken only if 95 of 100
 * draws are on one side. `npm run alerts:channel -- [pairs of turns] [seconds a turn]`
 * Ends with 0 if it is kept, with 1 if it is broken, with 2 if these turns do not decide.
 */
import { once } from 'node:events';
import { type MessagePort, parentPort, Worker } from 'node:worker_threads';
import { Random } from '../src/base/random.ts';
import { exitLatency, FAULT_SETS, quantile, type Latencies } from '../test/support/latency/exit-latency.ts';
import { ntfyService } from '../test/support/monitor/alert-services.ts';

const PROMISED = 0.05;
const DRAWS = 2_000;
/** On fewer a percentile rests on too few. */
const EXITS_LEAST = 5_000;
const EVERY_MS = 40;
/** Turns before those that count. */
const WARM_UP = 4;

/** What the service says: its address, and how many requests came while it hung. */
type Said = { readonly url: string } | { readonly asked: number };

/** The service, in a thread of its own. It is told whether it hangs from now on. */
async function serve(port: MessagePort): Promise<void> {
  const push = await ntfyService('tk');
  port.on('message', (hangs: boolean) => {
    port.postMessage({ asked: push.always === 'hang' ? push.asked.length : 0 } satisfies Said);
    push.asked.length = 0;
    push.always = hangs ? 'hang' : null;
    push.letGo();
  });
  port.postMessage({ url: push.url } satisfies Said);
}

if (parentPort !== null) await serve(parentPort);
else process.exitCode = await measure(...process.argv.slice(2).map(Number));

/** Takes, hangs, hangs, takes, … */
function hangsIn(turn: number): boolean {
  return turn % 4 === 1 || turn % 4 === 2;
}

async function measure(pairs = 40, seconds = 5): Promise<number> {
  const worker = new Worker(new URL(import.meta.url));
  const [{ url }] = (await once(worker, 'message')) as [{ url: string }];
  let asked = 0;
  worker.on('message', (said: Said) => (asked += 'asked' in said ? said.asked : 0));
  const none = FAULT_SETS.find(({ name }) => name === 'none')!;
  const { exits } = await exitLatency(none, seconds * 1_000, {
    channels: `channels:\n  - { name: push, kind: ntfy, url: "${url}", topic: bot, token: tk }\n`,
    everyMs: EVERY_MS,
    turns: {
      count: WARM_UP + 2 * pairs,
      begin(turn) {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
        worker.postMessage(hangsIn(turn));
        if (turn % 20 === 19) console.error(`${turn + 1} of ${WARM_UP + 2 * pairs} turns`);
      },
    },
  });
  await worker.terminate();
  return judged(exits, pairs, asked);
}

type Exits = Latencies['exits'];

/** Prints the figures. The exit code. */
function judged(exits: Exits, pairs: number, asked: number): number {
  const pairsOf = (hangs: boolean): readonly Exits[] =>
    Array.from({ length: pairs }, (_, pair) =>
      exits.filter(({ turn }) => Math.floor((turn - WARM_UP) / 2) === pair && hangsIn(turn) === hangs),
    );
  const [taking, hanging] = [pairsOf(false), pairsOf(true)];
  const p99 = (arm: readonly Exits[], chosen: readonly number[]): number =>
    quantile(
      chosen.flatMap((k) => arm[k]!.map(({ cpuMs }) => cpuMs)),
      0.99,
    );
  /** By how much the p99 of a channel that hangs is above that of one that takes, over these pairs. */
  const grown = (chosen: readonly number[]): number => p99(hanging, chosen) / p99(taking, chosen) - 1;
  const all = [...taking.keys()];
  const random = new Random(1);
  const draws = Array.from({ length: DRAWS }, () => grown(all.map(() => random.below(pairs))));
  const [least, most] = [quantile(draws, 0.025), quantile(draws, 0.975)];

  console.log(`${''.padEnd(22)} requests   processor ms: p50      p99     most     elapsed ms: p50      p99`);
  for (const [name, arm] of [
    ['a channel that takes', taking],
    ['a channel that hangs', hanging],
  ] as const) {
    const cpu = arm.flat().map(({ cpuMs }) => cpuMs);
    const elapsed = arm.flat().map(({ ms }) => ms);
    const figures = (values: readonly number[], qs: readonly number[]): string =>
      qs.map((q) => quantile(values, q).toFixed(3).padStart(8)).join(' ');
    console.log(
      `${name.padEnd(22)} ${String(cpu.length).padStart(8)} ${figures(cpu, [0.5, 0.99, 1]).padStart(31)} ${figures(elapsed, [0.5, 0.99]).padStart(28)}`,
    );
  }
  console.log(`messages that the channel was asked to take while it hung: ${asked}`);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  console.log(`p99 grows by ${percent(grown(all))}; 95 of 100 draws of the pairs are between ${percent(least)} and ${percent(most)}`);
  const isEnough = Math.min(taking.flat().length, hanging.flat().length) >= EXITS_LEAST && asked > 0;
  const isKept = isEnough && most <= PROMISED;
  const isBroken = isEnough && least > PROMISED;
  console.log(
    isKept
      ? 'kept: at most 5 %'
      : isBroken
        ? 'not kept: more than 5 %'
        : `not decided by these turns: give more of them, ${EXITS_LEAST} requests of each or more`,
  );
  return isKept ? 0 : isBroken ? 1 : 2;
}
