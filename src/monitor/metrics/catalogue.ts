/**
 * The table of metrics: name, type, labels, meaning, and how it is read. Names begin with `tickwright_`, units are base units, counters end with
 * `_total`. Labels are bounded by the configuration and by tables of the program, never by orders.
 */
import { ALERT_RULES } from '../../base/tables/alert-rules.ts';
import type { StatusRow } from '../../control/changes.ts';
import type { ReadModel } from '../model/read-model.ts';

/** What a metric of the bot is read from. */
interface BotView {
  readonly model: ReadModel;
  readonly status: StatusRow;
  readonly now: number;
}

/** What a metric of the monitor is read from. */
export interface MetricView {
  readonly model: ReadModel;
  readonly now: number;
  /** False once the bot is lost, or sends nothing. */
  readonly isHeard: boolean;
  /** Deliveries of alerts by channel. */
  readonly channels: ReadonlyMap<string, { readonly delivered: number; readonly failed: number }>;
  /** Alerts that hold, by rule. */
  readonly alerts: readonly { readonly rule: string; readonly holds: boolean }[];
}

/** A value with the values of the labels, in the order of the row. No sample stands for "unknown". */
export type Sample = readonly [value: number, ...labels: string[]];

export interface MetricRow {
  readonly type: 'gauge' | 'counter';
  readonly doc: string;
  readonly labels?: readonly string[];
  /** Reads a metric of the bot. It has no sample while the bot is not heard: what it said last may no longer hold. */
  readonly read?: (view: BotView) => Iterable<Sample>;
  /** Reads a metric of the monitor itself, instead: that always has its samples. */
  readonly readOwn?: (view: MetricView) => Iterable<Sample>;
}

const seconds = (ms: number): number => ms / 1000;
/** Age of a time; nothing for "never". */
const age = (now: number, time: number | undefined): Sample[] =>
  time === undefined || time === 0 ? [] : [[seconds(Math.max(0, now - time))]];
/** Figures as doubles are for charts and alarms alone; "" is unknown. */
const figure = (text: string | undefined): Sample[] => (text === undefined || text === '' ? [] : [[Number(text)]]);

/** A figure of each strategy, of netting and external. */
const partOf = ({ status }: BotView, key: 'net' | 'worstLoss'): Sample[] =>
  (status.parts ?? []).flatMap((part) => (part.name === 'all' ? [] : figure(part[key]).map(([value]): Sample => [value, part.name])));

export const METRICS = {
  tickwright_up: { type: 'gauge', doc: '1 if the monitor hears the bot, 0 if it does not.', readOwn: ({ isHeard }) => [[isHeard ? 1 : 0]] },
  tickwright_armed: {
    type: 'gauge',
    doc: '1 if the bot agrees with the venue and accepts orders.',
    readOwn: ({ model, isHeard }) => [[isHeard && model.status?.phase === 'armed' ? 1 : 0]],
  },
  tickwright_start_time_seconds: {
    type: 'gauge',
    doc: 'When the process of the bot started, since 1970.',
    read: ({ status }) => [[seconds(status.startedAt)]],
  },
  tickwright_halts: {
    type: 'gauge',
    labels: ['code'],
    doc: 'Halts that hold, by code.',
    *read({ model }) {
      const counts = new Map<string, number>();
      for (const { code } of model.halts) counts.set(code, (counts.get(code) ?? 0) + 1);
      for (const [code, count] of counts) yield [count, code];
    },
  },
  tickwright_equity: { type: 'gauge', doc: 'Equity in the quote coin.', read: ({ status }) => figure(status.equity) },
  tickwright_day_net: {
    type: 'gauge',
    doc: 'Realised profit of the day after fees and funding, in the quote coin.',
    read: ({ status }) => figure(status.today?.net),
  },
  tickwright_position_size: {
    type: 'gauge',
    labels: ['symbol', 'side'],
    doc: 'Size of each position side that is held, in base coin.',
    read: ({ model }) => [...model.positions.values()].map((one): Sample => [Number(one.size), one.symbol, one.side]),
  },
  tickwright_position_proof_age_seconds: {
    type: 'gauge',
    labels: ['symbol', 'side'],
    doc: 'Age of the read that proves the size.',
    read: ({ model, now }) =>
      [...model.positions.values()]
        .filter(({ provenAt }) => provenAt > 0)
        .map((one): Sample => [seconds(Math.max(0, now - one.provenAt)), one.symbol, one.side]),
  },
  tickwright_open_orders: {
    type: 'gauge',
    doc: 'Orders that are open or may be open.',
    read: ({ status }) => [[status.orders]],
  },
  tickwright_unknown_outcomes: {
    type: 'gauge',
    doc: 'Commands whose outcome is unknown.',
    read: ({ status }) => [[status.unknownOutcomes]],
  },
  tickwright_fills_total: { type: 'counter', doc: 'Fills in the journal.', read: ({ status }) => [[status.fills]] },
  tickwright_orders_placed_total: {
    type: 'counter',
    doc: 'Orders placed since the journal began.',
    read: ({ status }) => (status.placed === undefined ? [] : [[status.placed]]),
  },
  tickwright_requests_total: {
    type: 'counter',
    doc: 'Requests to the venue since the start.',
    read: ({ status }) => [[status.health.requests]],
  },
  tickwright_rate_limited_total: {
    type: 'counter',
    doc: 'Requests that the venue refused with 429.',
    read: ({ status }) => [[status.health.rateLimited]],
  },
  tickwright_endpoint_failures_total: {
    type: 'counter',
    labels: ['endpoint'],
    doc: 'Requests without an answer, by endpoint.',
    read: ({ status }) => Object.entries(status.health.endpoints).map(([id, one]): Sample => [one.failures, id]),
  },
  tickwright_endpoint_latency_seconds: {
    type: 'gauge',
    labels: ['endpoint', 'quantile'],
    doc: 'Time from request to answer, by endpoint: the median and the 99th percentile.',
    *read({ status }) {
      for (const [id, { p50Ms, p99Ms }] of Object.entries(status.health.endpoints)) {
        yield [seconds(p50Ms), id, '0.5'];
        yield [seconds(p99Ms), id, '0.99'];
      }
    },
  },
  tickwright_venue_answer_age_seconds: {
    type: 'gauge',
    doc: 'Since the venue last answered any request.',
    read: ({ status, now }) => age(now, status.venueAnsweredAt),
  },
  tickwright_venue_trouble: {
    type: 'gauge',
    labels: ['of'],
    doc: 'Failures in a row of signed and public requests; 0 if the last one was answered well.',
    read: ({ status }) =>
      (['signed', 'public'] as const).map((of): Sample => [status.troubles?.find((one) => one.of === of)?.failures ?? 0, of]),
  },
  tickwright_positions_age_seconds: {
    type: 'gauge',
    doc: 'Since positions were read.',
    read: ({ status, now }) => age(now, status.readAt?.positions),
  },
  tickwright_prices_age_seconds: {
    type: 'gauge',
    doc: 'Since prices were read.',
    read: ({ status, now }) => age(now, status.readAt?.prices),
  },
  tickwright_polls_skipped_total: {
    type: 'counter',
    doc: 'Polls that were left out because the rate did not allow them.',
    read: ({ status }) => [[status.health.pollsSkipped]],
  },
  tickwright_clock_offset_seconds: {
    type: 'gauge',
    doc: 'The clock of the venue minus that of this machine.',
    read: ({ status }) => (status.health.clockOffsetMs === null ? [] : [[seconds(status.health.clockOffsetMs)]]),
  },
  tickwright_loop_turns_total: {
    type: 'counter',
    doc: 'Turns of the event loop: it stands still when the bot does.',
    read: ({ status }) => [[status.health.turns]],
  },
  tickwright_loop_late_seconds: {
    type: 'gauge',
    doc: 'Longest time that the event loop was late in the last second.',
    read: ({ status }) => [[seconds(status.health.lateMs)]],
  },
  tickwright_journal_behind: {
    type: 'gauge',
    doc: 'Records of the journal that are not durable yet.',
    read: ({ status }) => [[status.health.journal.made - status.health.journal.durable]],
  },
  tickwright_memory_bytes: {
    type: 'gauge',
    labels: ['of'],
    doc: 'Memory of the process of the bot: the heap in use, its limit, and all.',
    read({ status }) {
      const { memory } = status;
      if (memory === undefined) return [];
      return [
        [memory.heapMb * 1_048_576, 'heap'],
        [memory.limitMb * 1_048_576, 'limit'],
        [memory.rssMb * 1_048_576, 'all'],
      ];
    },
  },
  tickwright_log_lines_total: {
    type: 'counter',
    labels: ['level'],
    doc: 'Lines of the log of level warn and error since the start.',
    read: ({ status }) => [
      [status.health.lines.warn, 'warn'],
      [status.health.lines.error, 'error'],
    ],
  },
  tickwright_strategy_disabled: {
    type: 'gauge',
    labels: ['strategy'],
    doc: '1 if the strategy was stopped.',
    read: ({ status }) => status.strategies.map((one): Sample => [one.isDisabled ? 1 : 0, one.name]),
  },
  tickwright_strategy_net: {
    type: 'gauge',
    labels: ['strategy'],
    doc: 'Profit less fees, with funding and unrealised profit, since the journal began, in the quote coin. `netting` and `external` belong to no strategy; all add up to the account.',
    read: (view) => partOf(view, 'net'),
  },
  tickwright_strategy_worst_loss: {
    type: 'gauge',
    labels: ['strategy'],
    doc: 'Share, by lots, in what the positions lose if their stops or liquidation are hit, in the quote coin.',
    read: (view) => partOf(view, 'worstLoss'),
  },
  tickwright_alert: {
    type: 'gauge',
    labels: ['rule'],
    doc: 'Alerts that hold, by rule.',
    readOwn: ({ alerts }) =>
      Object.keys(ALERT_RULES).map((rule): Sample => [alerts.filter((one) => one.rule === rule && one.holds).length, rule]),
  },
  tickwright_alerts_delivered_total: {
    type: 'counter',
    labels: ['channel'],
    doc: 'Messages that a channel took, since the start of the monitor.',
    readOwn: ({ channels }) => [...channels].map(([name, { delivered }]): Sample => [delivered, name]),
  },
  tickwright_alerts_failed_total: {
    type: 'counter',
    labels: ['channel'],
    doc: 'Messages that were refused, given up or dropped, since the start of the monitor.',
    readOwn: ({ channels }) => [...channels].map(([name, { failed }]): Sample => [failed, name]),
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof METRICS;

/** All metrics in the text format of Prometheus, version 0.0.4. */
export function expositionOf(view: MetricView): string {
  const lines: string[] = [];
  for (const [name, row] of Object.entries<MetricRow>(METRICS)) {
    lines.push(`# HELP ${name} ${row.doc.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${row.type}`);
    for (const [value, ...labels] of samplesOf(row, view)) {
      const shown = labels.map((label, k) => `${row.labels?.[k] ?? ''}="${escaped(label)}"`).join(',');
      lines.push(`${name}${shown === '' ? '' : `{${shown}}`} ${Number.isNaN(value) ? 'NaN' : value}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function samplesOf({ read, readOwn }: MetricRow, view: MetricView): Iterable<Sample> {
  const { model, now, isHeard } = view;
  if (readOwn !== undefined) return readOwn(view);
  return isHeard && model.status !== null && read !== undefined ? read({ model, status: model.status, now }) : [];
}

function escaped(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
