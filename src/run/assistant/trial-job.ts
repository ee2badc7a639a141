/** The job that the confined process is asked to try, and its answer. Both are JSON. */
import type { BotConfig, StrategyChoice } from '../../config/model.ts';

/** What is tried of a strategy. */
export const TRIALS = ['backtest', 'optimize', 'verify', 'crashtest', 'report'] as const;
export type TrialName = (typeof TRIALS)[number];

/** The part of a configuration that a trial needs: no address, no key, no file of secrets. */
export type TrialConfig = Omit<BotConfig, 'credentials' | 'keystore' | 'venue' | 'store' | 'alerts' | 'webhooks' | 'watchdog' | 'control'>;

export interface TrialJob {
  readonly name: TrialName;
  readonly config: TrialConfig;
  /** The strategy, with the parameters of the configuration and of the assistant. */
  readonly choice: StrategyChoice;
  /** Of a search: what each parameter may be. */
  readonly space: Readonly<Record<string, string>>;
  /** Folder of the tape, or of the session of a report; "" for a crash test. */
  readonly input: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Seeds of a crash test, or trials of a search. */
  readonly count: number;
  /** The figure that a search maximises, or minimises. */
  readonly by: string;
}

export type TrialAnswer = { readonly ok: true; readonly data: object } | { readonly ok: false; readonly message: string };
