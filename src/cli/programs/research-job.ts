/** The messages between a program and the thread that does its research. All of it can be copied to a thread. */
import type { SentError } from '../../base/failure/sent-error.ts';
import type { LogFields } from '../../ports/log.ts';
import type { ResearchResult } from '../../report/document/research/research-document.ts';
import type { RunReport } from '../../report/run-report.ts';
import type { Figures } from '../../search/trial.ts';
import type { BacktestFlags } from '../backtest/backtest-command.ts';
import type { OptimizeFlags } from '../search/optimize-flags.ts';
import type { WalkForwardFlags } from '../search/walk-forward-command.ts';

/** The flags of the command of that name. */
export type ResearchJob =
  | { readonly command: 'backtest'; readonly flags: BacktestFlags; readonly isLogged: boolean }
  | { readonly command: 'optimize'; readonly flags: OptimizeFlags }
  | { readonly command: 'walk-forward'; readonly flags: WalkForwardFlags };

/** How far a search is. */
export interface SearchProgressNow {
  /** Trials with a final state. */
  readonly trials: number;
  /** How many there may be. */
  readonly of: number;
  /** Number and figures of the best trial so far; null before there is one. */
  readonly best: { readonly trial: number; readonly figures: Figures } | null;
  /** Number of the window of a walk-forward, from 1; 1 for a search. */
  readonly window: number;
}

export type ResearchAnswer =
  | { readonly kind: 'rows'; readonly rows: number; readonly share: number }
  | { readonly kind: 'search'; readonly now: SearchProgressNow }
  | { readonly kind: 'log'; readonly time: number; readonly fields: LogFields }
  | { readonly kind: 'result'; readonly result: RunReport | ResearchResult }
  | { readonly kind: 'failed'; readonly error: SentError };
