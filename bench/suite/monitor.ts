/** Figures of the dashboard: STOP, and what an open page costs the bot. */
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
