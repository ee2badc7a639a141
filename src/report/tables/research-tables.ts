/** The tables of the results of research. Parameters and figures are columns by their names, a parameter with `param_` before it. */
import type { ResearchResult } from '../document/research/research-document.ts';
import type { CapacityRow, CapacityResult } from '../research/capacity-result.ts';
import type { CrossValidationResult, CrossValidationSplit } from '../research/cross-validation-result.ts';
import type { DelayRow, MissedRow, MonteCarloResult } from '../research/monte-carlo-result.ts';
import type { Judged, SearchedTrial, SearchResult, Span } from '../research/search-result.ts';
import type { WalkForwardResult } from '../research/walk-forward-result.ts';
import type { RunReport } from '../run-report.ts';
import { runTables } from './run-tables.ts';
import { tableOf, type ColumnSpec, type Specs, type Table } from './columns.ts';

export type Tables = Readonly<Record<string, Table>>;

/** Every table of a result by its name. */
export function tablesOf(result: RunReport | ResearchResult): Tables {
  switch (result.kind) {
    case 'search':
      return searchTables(result);
    case 'walk-forward':
      return walkForwardTables(result);
    case 'cross-validation':
      return crossValidationTables(result);
    case 'monte-carlo':
      return monteCarloTables(result);
    case 'capacity':
      return capacityTables(result);
    default:
      return runTables(result);
  }
}

type Cell = string | number | boolean | null | undefined;

/** Columns for what rows have by name; a column is of numbers if all its values are. */
function namedColumns<Row>(
  rows: readonly Row[],
  named: (row: Row) => Readonly<Record<string, Cell>>,
  doc: string,
  head = '',
): Record<string, ColumnSpec<Row>> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(named(row))))];
  const columnFor = (name: string): ColumnSpec<Row> => {
    const isNumber = rows.every((row) => isNumeric(named(row)[name]));
    return { kind: isNumber ? 'number' : 'text', doc, value: (row) => valueOf(named(row)[name], isNumber) };
  };
  return Object.fromEntries(names.map((name) => [`${head}${name}`, columnFor(name)]));
}

function isNumeric(value: Cell): boolean {
  return value === null || value === undefined || typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
}

function valueOf(value: Cell, isNumber: boolean): string | number | null {
  if (value === null || value === undefined) return null;
  return isNumber ? Number(value) : String(value);
}

const PARAM = 'value of the parameter, durations of trials in milliseconds';
const FIGURE = 'figure of the run, as in metrics.md';

/** Trials of a search in their order. */
const TRIAL_COLUMNS = {
  trial: { kind: 'count', doc: 'its number', value: (t) => t.number },
  state: { kind: 'text', doc: 'done, pruned or failed', value: (t) => t.state },
  meetsConstraints: { kind: 'flag', doc: 'true if it breaks no constraint', value: (t) => t.meetsConstraints },
  error: { kind: 'text', doc: 'why it failed', value: (t) => t.error ?? '' },
} as const satisfies Specs<SearchedTrial>;

/** A set of parameters on one part of the time. */
interface PartRow {
  readonly fold: number;
  readonly number: number | null;
  readonly part: string;
  readonly span: Span | null;
  readonly params: Judged['params'];
  readonly figures: Readonly<Record<string, number | null>>;
}

const CHOSEN_COLUMNS = {
  trial: { kind: 'count', doc: 'its number; none for the defaults of the strategy', value: (r) => r.number },
  part: { kind: 'text', doc: 'searched or held out', value: (r) => r.part },
  from: { kind: 'time', doc: 'begin of the part', value: (r) => r.span?.from ?? null },
  to: { kind: 'time', doc: 'end of the part', value: (r) => r.span?.to ?? null },
} as const satisfies Specs<PartRow>;

interface ShareRow {
  readonly objective: string;
  readonly params: string;
  readonly share: number;
}

const IMPORTANCE_COLUMNS = {
  objective: { kind: 'text', doc: 'the figure', value: (r) => r.objective },
  params: { kind: 'text', doc: 'one parameter, or two with × between', value: (r) => r.params },
  share: { kind: 'number', doc: 'share of the variance of the figure that they explain', value: (r) => r.share },
} as const satisfies Specs<ShareRow>;

function searchTables({ trials, front, defaults, searched, holdout, importance }: SearchResult): Tables {
  const parts = [...front, defaults].flatMap((one) => partsOf(one, { searched, holdout, fold: 0 }));
  const shares = Object.entries(importance).flatMap(([objective, rows]): ShareRow[] =>
    (rows ?? []).map(({ params, share }) => ({ objective, params: params.join(' × '), share })),
  );
  return {
    trials: tableOf(trials, {
      ...TRIAL_COLUMNS,
      ...namedColumns(trials, ({ point }) => point, PARAM, 'param_'),
      ...namedColumns(trials, ({ figures }) => figures, FIGURE),
    }),
    chosen: tableOf(parts, { ...CHOSEN_COLUMNS, ...partColumns(parts) }),
    importance: tableOf(shares, IMPORTANCE_COLUMNS),
  };
}

interface Spans {
  readonly searched: Span;
  readonly holdout: Span | null;
  readonly fold: number;
}

function partsOf({ number, params, searched, holdout }: Judged, spans: Spans): PartRow[] {
  const row = { fold: spans.fold, number, params };
  const first: PartRow = { ...row, part: 'searched', span: spans.searched, figures: searched };
  return holdout === null ? [first] : [first, { ...row, part: 'held out', span: spans.holdout, figures: holdout }];
}

function partColumns(parts: readonly PartRow[]): Record<string, ColumnSpec<PartRow>> {
  return {
    ...namedColumns(parts, ({ params }) => params, PARAM, 'param_'),
    ...namedColumns(parts, ({ figures }) => figures, FIGURE),
  };
}

const FOLD_COLUMNS = {
  fold: { kind: 'count', doc: 'number of the window, from 1', value: (r) => r.fold },
  ...CHOSEN_COLUMNS,
} as const satisfies Specs<PartRow>;

function walkForwardTables({ folds }: WalkForwardResult): Tables {
  const parts = folds.flatMap(({ best, defaults, searched, judged }, k) => {
    const spans = { searched, holdout: judged, fold: k + 1 };
    return [best, defaults].flatMap((one) => (one === null ? [] : partsOf(one, spans)));
  });
  return { folds: tableOf(parts, { ...FOLD_COLUMNS, ...partColumns(parts) }) };
}

type SplitRow = CrossValidationSplit & { readonly split: number };

const SPLIT_COLUMNS = {
  split: { kind: 'count', doc: 'its number, from 1', value: (r) => r.split },
  groups: { kind: 'text', doc: 'numbers of the groups that judge, from 0', value: (r) => r.groups.join(' ') },
  trial: { kind: 'count', doc: 'the one that was best on the other groups', value: (r) => r.chosen?.trial ?? null },
  rank: { kind: 'number', doc: 'share of the trials that are worse where it was judged', value: (r) => r.chosen?.rank ?? null },
} as const satisfies Specs<SplitRow>;

interface PathRow {
  readonly path: number;
  readonly group: number;
  readonly value: number;
}

const PATH_COLUMNS = {
  path: { kind: 'count', doc: 'its number, from 1', value: (r) => r.path },
  group: { kind: 'count', doc: 'after which group, from 0', value: (r) => r.group },
  value: { kind: 'number', doc: 'value of the path there, 1 at the start', value: (r) => r.value },
} as const satisfies Specs<PathRow>;

function crossValidationTables({ splits, paths }: CrossValidationResult): Tables {
  const rows = splits.map((one, k): SplitRow => ({ ...one, split: k + 1 }));
  const places = paths.flatMap((values, k) => values.map((value, group): PathRow => ({ path: k + 1, group, value })));
  return {
    splits: tableOf(rows, {
      ...SPLIT_COLUMNS,
      ...namedColumns(rows, ({ chosen }) => chosen?.params ?? {}, PARAM, 'param_'),
      ...namedColumns(rows, ({ chosen }) => chosen?.judged ?? {}, `${FIGURE}, where it was judged`),
    }),
    paths: tableOf(places, PATH_COLUMNS),
  };
}

const DELAY_COLUMNS = {
  delayMs: { kind: 'count', doc: 'milliseconds that entries are late', value: (r) => r.delayMs },
  net: { kind: 'number', doc: 'net profit, in the quote coin', value: (r) => r.net },
  trades: { kind: 'count', doc: 'closed trades', value: (r) => r.trades },
} as const satisfies Specs<DelayRow>;

const MISSED_COLUMNS = {
  share: { kind: 'number', doc: 'share of the entries that are missed', value: (r) => r.share },
  p5: { kind: 'number', doc: 'net profit that 5 % of the runs are below, in the quote coin', value: (r) => r.net.p5 },
  p25: { kind: 'number', doc: 'the same of 25 %', value: (r) => r.net.p25 },
  p50: { kind: 'number', doc: 'the same of half', value: (r) => r.net.p50 },
  p75: { kind: 'number', doc: 'the same of 75 %', value: (r) => r.net.p75 },
  p95: { kind: 'number', doc: 'the same of 95 %', value: (r) => r.net.p95 },
} as const satisfies Specs<MissedRow>;

interface FanRow {
  readonly fan: string;
  readonly share: number;
  readonly place: number;
  readonly equity: number;
}

const FAN_COLUMNS = {
  fan: { kind: 'text', doc: 'shuffled, redrawn, blocks or markets', value: (r) => r.fan },
  share: { kind: 'number', doc: 'share of the curves that are below the line', value: (r) => r.share },
  place: { kind: 'count', doc: 'place on the line, 0 before anything happened', value: (r) => r.place },
  equity: { kind: 'number', doc: 'in the quote coin', value: (r) => r.equity },
} as const satisfies Specs<FanRow>;

function monteCarloTables({ delays, missed, shuffled, redrawn, blocks, markets }: MonteCarloResult): Tables {
  const fans = Object.entries({ shuffled, redrawn, blocks, markets: markets?.fan ?? null });
  const rows = fans.flatMap(([fan, one]) =>
    (one?.lines ?? []).flatMap((line, k) => line.map((equity, place): FanRow => ({ fan, share: one!.shares[k]!, place, equity }))),
  );
  return { delays: tableOf(delays, DELAY_COLUMNS), missed: tableOf(missed, MISSED_COLUMNS), fans: tableOf(rows, FAN_COLUMNS) };
}

const SIZE_COLUMNS = {
  multiple: { kind: 'number', doc: 'of all sizes', value: (r) => r.multiple },
  net: { kind: 'number', doc: 'net profit, in the quote coin', value: (r) => r.net },
  perSize: { kind: 'number', doc: 'net profit for each unit of size', value: (r) => r.perSize },
  largest: { kind: 'number', doc: 'largest value of all open positions, in the quote coin', value: (r) => r.largest },
  turnover: { kind: 'number', doc: 'in the quote coin', value: (r) => r.turnover },
  slippage: { kind: 'number', doc: 'in the quote coin; below 0 it cost money', value: (r) => r.slippage },
  trades: { kind: 'count', doc: 'closed trades', value: (r) => r.trades },
  refused: { kind: 'count', doc: 'orders that the venue rejected, or a rule refused', value: (r) => r.refused },
} as const satisfies Specs<CapacityRow>;

function capacityTables({ rows }: CapacityResult): Tables {
  return { sizes: tableOf(rows, SIZE_COLUMNS) };
}

/** Columns of each table whatever the strategy, by command. */
export const RESEARCH_TABLES = {
  optimize: { trials: TRIAL_COLUMNS, chosen: CHOSEN_COLUMNS, importance: IMPORTANCE_COLUMNS },
  'walk-forward': { folds: FOLD_COLUMNS },
  'cross-validate': { splits: SPLIT_COLUMNS, paths: PATH_COLUMNS },
  'monte-carlo': { delays: DELAY_COLUMNS, missed: MISSED_COLUMNS, fans: FAN_COLUMNS },
  capacity: { sizes: SIZE_COLUMNS },
} as const;
