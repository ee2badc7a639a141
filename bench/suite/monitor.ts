/** Figures of what an operator sees and does: STOP, why, set, and what an open page costs the bot. */
import { here, isQuick, judgedBelow, node, tell } from './table.ts';

interface Fed {
  readonly cpuUs: number;
  readonly slopeKb: number;
  readonly readerSlopeKb: number;
}

interface Stopped {
  readonly answerMs: number;
  readonly lastOpenMs: number;
  readonly late: number;
}

interface Answered {
  readonly whyMs: number;
  readonly setMs: number;
  readonly effectMs: number;
  readonly pastMs: number;
}

/** Changes a second of a busy bot, by which a share of its processor is told. */
const CHANGES_A_SECOND = 1_000;

export function monitor(): void {
  const stopped = JSON.parse(node([here('halts.ts'), isQuick ? '10' : '40', 'page', '--json'])) as Stopped;
  tell(
    'STOP of the dashboard, one open in three refused with 429: last open at the exchange, p95',
    `${stopped.lastOpenMs.toFixed(0)} ms, answered after ${stopped.answerMs.toFixed(0)} ms, ${stopped.late} late`,
    '≤ 100 ms',
    stopped.late > 0 ? false : judgedBelow(stopped.lastOpenMs, 100),
  );
  const { whyMs, setMs, effectMs, pastMs } = JSON.parse(node([here('answers.ts'), isQuick ? '10' : '40', '--json'])) as Answered;
  tell('why of a busy bot: its answer, p95', `${whyMs.toFixed(0)} ms`, '≤ 100 ms', judgedBelow(whyMs, 100));
  tell(
    'set on a busy bot: last open of the old size at the exchange, p95',
    `${effectMs.toFixed(0)} ms, answered after ${setMs.toFixed(0)} ms`,
    '< 1 s',
    judgedBelow(effectMs, 1_000),
  );
  tell('why --at a second an hour ago, session of six hours, typed', `${pastMs.toFixed(0)} ms`, '≤ 2 s', judgedBelow(pastMs, 2_000));
  const count = isQuick ? '200000' : '1000000';
  const { alone, read } = JSON.parse(node(['--expose-gc', here('feed.ts'), count])) as { readonly alone: Fed; readonly read: Fed };
  const added = read.cpuUs - alone.cpuUs;
  tell(
    'an open dashboard: CPU of the bot at 1,000 changes a second',
    `+${((added * CHANGES_A_SECOND) / 1e4).toFixed(2)} % (${added.toFixed(1)} µs a change)`,
    '≤ 1 %',
    judgedBelow((added * CHANGES_A_SECOND) / 1e4, 1),
  );
  const slope = Math.max(read.slopeKb, read.readerSlopeKb);
  tell(
    `the same: heap that 1,000 of ${count} changes leave, bot and monitor`,
    `${read.slopeKb.toFixed(2)} and ${read.readerSlopeKb.toFixed(2)} kB`,
    '≤ 1 kB',
    isQuick ? null : slope <= 1,
  );
}
