/**
 * What each command prints with `--json`, as a type: one object, or a line for each. `npm run docs` derives the schemas of outputs.json from
 * it, and the compiler holds each command to its type.
 */
import type {
  ActAnswer,
  OrderAnswer,
  PositionAnswer,
  ProfitRow,
  RefusalAnswer,
  StatusAnswer,
  StoryAnswer,
  WhyAnswer,
} from '../../control/answers.ts';
import type { Change, FillRow, LogRow } from '../../control/changes.ts';
import type { ControlName } from '../../control/commands.ts';
import type { DivergenceDays } from '../../control/divergence-days.ts';
import type { HubAnswer, KillRow } from '../../control/hub.ts';
import type { Assumption } from '../../contract/assumption.ts';
import type { EffectiveKey } from '../../config/docs/show.ts';
import type { entriesIn } from '../../config/files/keystore.ts';
import type { LimitLevel } from '../../domain/messages/why.ts';
import type { AnyIndicatorFunction } from '../../indicators/table.ts';
import type { CapacityResult } from '../../report/research/capacity-result.ts';
import type { CrossValidationResult } from '../../report/research/cross-validation-result.ts';
import type { MonteCarloResult } from '../../report/research/monte-carlo-result.ts';
import type { SearchResult } from '../../report/research/search-result.ts';
import type { WalkForwardResult } from '../../report/research/walk-forward-result.ts';
import type { ResearchResult } from '../../report/document/research/research-document.ts';
import type { RunReport } from '../../report/run-report.ts';
import type { BackupMade } from '../../run/backup/backup.ts';
import type { RestoreDone } from '../../run/backup/restore.ts';
import type { MadeBox } from '../../run/blackbox/make-box.ts';
import type { Shrunk } from '../../run/blackbox/shrink.ts';
import type { ExportedRow } from '../../run/bot/client/client-types.ts';
import type { CheckedChange } from '../../run/change/check-change.ts';
import type { LedgerSummary } from '../../run/exchange/ledger-summary.ts';
import type { FetchSummary } from '../../run/fetch/fetch-tape.ts';
import type { ArchiveMarket, ArchiveSource } from '../../run/fetch/sources.ts';
import type { SessionAudit } from '../../run/live/audit/session-audit.ts';
import type { Calibration } from '../../run/live/counterfactual/calibrate.ts';
import type { Divergence } from '../../run/live/counterfactual/divergence.ts';
import type { ExportedFile } from '../../run/market/exports.ts';
import type { ImportSummary, Preview, SymbolStatistics, TapeInfo } from '../../run/market/tapes.ts';
import type { Rehearsal, toldAlerts } from '../../run/monitor/alerts/past-alerts.ts';
import type { TestedChannel } from '../../run/monitor/alerts/test-channels.ts';
import type { RecordResult } from '../../run/record/record-venue.ts';
import type { Replayed } from '../../run/replay/replay.ts';
import type { WhatIf } from '../../run/replay/what-if.ts';
import type { CrashReport, CrashRule } from '../../run/testing/crashtest.ts';
import type { VerifyReport } from '../../run/verify/verify.ts';

/** Fields of a stopped bot: lists are from its files. */
interface FromFiles {
  /** Of a stopped bot: the time of its last overview. */
  readonly lastSeenAt?: number;
}

/** What commands print that read a bot. */
interface ReadOutputs {
  readonly status: StatusAnswer | HubAnswer;
  readonly why: WhyAnswer | StoryAnswer;
  readonly orders: { readonly orders: readonly OrderAnswer[] } & FromFiles;
  readonly positions: { readonly positions: readonly PositionAnswer[] } & FromFiles;
  readonly fills: { readonly fills: readonly FillRow[]; readonly next: number | null };
  readonly pnl: { readonly by: 'strategy' | 'symbol' | 'day' | 'reason'; readonly groups: readonly ProfitRow[] };
  readonly limits: { readonly limits: readonly LimitLevel[] };
  readonly export: readonly ExportedRow[];
  readonly tail: LogRow;
  readonly events: Change;
}

/** Every other control command changes something. */
type ControlOutputs = { readonly [C in ControlName]: (C extends keyof ReadOutputs ? ReadOutputs[C] : ActAnswer) | RefusalAnswer };

/** A tape that `tape cut`, `tape join` or `tape resample` wrote. */
export interface WrittenTape {
  readonly folder: string;
  readonly rows: number;
  /** Time of its first row, and of its last. */
  readonly from: number;
  readonly to: number;
  /** Of `tape join`: rows of the second tape that are in the first one too. */
  readonly overlap?: number | undefined;
}

/** What `doctor` found about a subject. */
export interface Finding {
  readonly subject: string;
  readonly status: 'ok' | 'warning' | 'bad';
  readonly finding: string;
}

/** An indicator: its row of the table, without what computes it. */
export interface IndicatorFacts extends Omit<AnyIndicatorFunction['row'], 'kernel'> {
  /** Updates before the first value, with its default parameters. */
  readonly lookback: number;
}

/** A public archive. */
export interface ListedSource extends Pick<ArchiveSource, 'name' | 'title' | 'address' | 'isTried' | 'notes'> {
  readonly sums: ArchiveSource['sums']['kind'];
  readonly kinds: readonly ListedKind[];
}

interface ListedKind {
  readonly market: ArchiveMarket;
  readonly kinds: readonly string[];
  /** What its rows become on a tape. */
  readonly rows: string;
  /** An example. */
  readonly symbol: string;
  /** Whether there is one a month, or a day. */
  readonly archives: readonly string[];
  readonly timeUnit: ArchiveSource['kinds'][number]['timeUnit'];
}

/** The manifest is tape.json. */
type Imported = Omit<ImportSummary, 'manifest'> & {
  readonly manifest: Omit<ImportSummary['manifest'], 'streams'> & {
    readonly streams: readonly Omit<ImportSummary['manifest']['streams'][number], 'tail'>[];
  };
};

/** A backup as it is printed: of the requests only their number. */
type Counted<T extends { readonly head: { readonly requests: unknown } }> = Omit<T, 'head'> & {
  readonly head: Omit<T['head'], 'requests'> & { readonly requests: number };
};

/** By command. */
export interface Outputs extends Omit<ControlOutputs, 'kill'> {
  readonly kill: ControlOutputs['kill'] | readonly KillRow[];
  readonly backup: Counted<BackupMade>;
  readonly restore: Counted<RestoreDone> & { readonly unknownOwnOrders: 'adopt' | 'cancel' | 'halt' };
  readonly check: CheckedChange;
  readonly ledger: LedgerSummary;
  readonly backtest: RunReport;
  readonly optimize: SearchResult;
  readonly 'walk-forward': WalkForwardResult;
  readonly 'cross-validate': CrossValidationResult;
  readonly 'monte-carlo': MonteCarloResult;
  readonly capacity: CapacityResult;
  readonly verify: VerifyReport;
  readonly crashtest: { readonly rules: Readonly<Record<CrashRule, string>>; readonly reports: readonly CrashReport[] };
  readonly report: RunReport | ResearchResult;
  readonly 'report divergence': Divergence | DivergenceDays;
  readonly 'report audit': SessionAudit;
  readonly replay: Replayed | Omit<WhatIf, 'instruments'>;
  readonly blackbox: MadeBox;
  readonly shrink: Shrunk;
  readonly calibrate: Calibration;
  readonly 'tape import': Imported | readonly Preview[];
  readonly 'tape info': TapeInfo;
  readonly 'tape export': { readonly files: readonly ExportedFile[] };
  readonly 'tape record': RecordResult;
  readonly 'tape cut': WrittenTape;
  readonly 'tape join': WrittenTape;
  readonly 'tape resample': WrittenTape;
  readonly 'tape stats': { readonly folder: string; readonly symbols: readonly SymbolStatistics[] };
  readonly 'tape synth': TapeInfo;
  readonly 'tape fetch': FetchSummary | readonly ListedSource[];
  readonly indicators: { readonly indicators: readonly IndicatorFacts[] };
  readonly config: {
    readonly file: string | null;
    readonly credentials: 'given' | 'none' | 'in a keystore';
    readonly keys: Readonly<Record<string, Omit<EffectiveKey, 'key' | 'variable'>>>;
  };
  readonly doctor: { readonly ok: boolean; readonly findings: readonly Finding[] };
  readonly assumptions: { readonly assumptions: readonly (Omit<Assumption, 'keys'> & { readonly switches: readonly string[] })[] };
  readonly 'alert test': { readonly channels: readonly TestedChannel[] };
  readonly 'alert list': { readonly alerts: ReturnType<typeof toldAlerts> };
  readonly 'alert rehearse': Rehearsal;
  readonly 'keys list': { readonly keys: ReturnType<typeof entriesIn> };
}
