/** The named causes of a difference between a session and its backtest, in the order in which they are added. */
import type { Taken } from './counterfactual.ts';

interface Row {
  readonly title: string;
  /** What the amount is. */
  readonly doc: string;
  /** What a run takes from the recording for it; null for a cause that is computed from fills. */
  readonly takes: keyof Taken | null;
}

export const CAUSES = {
  start: { title: 'start state', doc: 'money, leverage, positions and saved state that the bot began with', takes: 'start' },
  polls: {
    title: 'polls',
    doc: 'when the answers to polls of the market arrived and what they contained, instead of polls on time',
    takes: 'polls',
  },
  latency: { title: 'latency', doc: 'the time that each order and each read really took, instead of the latency model', takes: 'latency' },
  refusals: { title: 'refusals', doc: 'orders that the venue refused, or that were never sent', takes: 'refusals' },
  unknowns: { title: 'unknown outcomes', doc: 'orders without an answer, and whether they had landed', takes: 'unknowns' },
  operator: { title: 'operator', doc: 'commands of a person or a program: halt, flatten, set and others', takes: 'operator' },
  process: { title: 'process', doc: 'halts because of clocks and of the journal', takes: 'process' },
  external: { title: 'external', doc: 'orders of somebody else on these positions, and halts because of them', takes: 'external' },
  funding: { title: 'funding', doc: 'funding that was paid or received, less that of the model', takes: null },
  fees: {
    title: 'fees',
    doc: 'fees that differ from the rates of the instruments: those of the session’s fills, less those of a fee model of `simulation`',
    takes: null,
  },
  prices: { title: 'fill prices', doc: 'the same orders filled at other prices: the market moved between two polls', takes: null },
  fills: {
    title: 'queue and fills',
    doc: 'orders that filled live and not in the last run, or the reverse: queue position, fill model',
    takes: null,
  },
  restarts: { title: 'restarts', doc: 'what happened between two sessions, or was read only in the next one', takes: null },
} as const satisfies Readonly<Record<string, Row>>;

export type CauseName = keyof typeof CAUSES;
