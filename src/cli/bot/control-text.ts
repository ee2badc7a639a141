/**
 * The answers of the control plane as text for a terminal of 80 columns, and as CSV.
 * size: one function for each kind of answer
 */
import { csvField } from '../../base/text/csv.ts';
import { counted, firstOf, grouped } from '../../base/text/figures.ts';
import type {
  ActAnswer,
  DayAnswer,
  FillAnswer,
  HaltAnswer,
  OrderAnswer,
  PartAnswer,
  PositionAnswer,
  ProfitRow,
  ReloadAnswer,
  StatusAnswer,
  StrategyAnswer,
  UniverseAnswer,
} from '../../control/answers.ts';
import { formatScaled, parseScaled, writtenDecimals } from '../../domain/amounts/scale.ts';
import type { LimitLevel } from '../../domain/messages/why.ts';
import type { ControlName } from '../../control/commands.ts';
import type { Flattening } from '../../domain/messages/forecast.ts';
import { processRows, when } from './process-text.ts';
import { summed } from './summed-exits.ts';
import { ago, answered, type Age, troubleText } from './ages-text.ts';
import { numbers, table, words } from '../../report/document/text-table.ts';
import { safeText, sentence, type Paint } from '../terminal/terminal.ts';

export interface TextOptions {
  /** True if the bot does not run and its files were read instead. */
  readonly isStopped: boolean;
  readonly paint: Paint;
  readonly width: number;
}

export function isActAnswer(body: object): body is ActAnswer {
  return 'did' in body;
}

export function controlText(name: ControlName, body: object, options: TextOptions): string {
  if (isActAnswer(body)) return actText(body, options);
  switch (name) {
    case 'orders':
      return ordersText((body as { orders: readonly OrderAnswer[] }).orders, options) + lastSeenText(body, 'orders', options);
    case 'positions':
      return (
        positionsText((body as { positions: readonly PositionAnswer[] }).positions, options) + lastSeenText(body, 'positions', options)
      );
    case 'fills':
      return fillsText((body as { fills: readonly FillAnswer[] }).fills, options);
    case 'pnl': {
      const { by, groups } = body as { by: string; groups: readonly ProfitRow[] };
      return profitText(by, groups, options);
    }
    case 'limits':
      return limitsText((body as { limits: readonly LimitLevel[] }).limits, options);
    default:
      return statusText(body as StatusAnswer, options);
  }
}

/** Of a bot that does not run: when what is listed was known. "" for one that runs. */
function lastSeenText(body: { readonly lastSeenAt?: number }, what: 'orders' | 'positions', { paint, width }: TextOptions): string {
  const { lastSeenAt } = body;
  if (lastSeenAt === undefined) return '';
  const since = what === 'orders' ? 'orders may have filled since' : 'positions may have changed since';
  return `${paint('yellow', sentence(`the bot does not run, and was last seen at ${when(lastSeenAt)}; ${since}`, width))}\n`;
}

function actText({ did, open, isDone, recorded }: ActAnswer, { paint, width }: TextOptions): string {
  const lines = did.map((line) => sentence(line, width));
  const unfinished = recorded ? 'recorded: no bot has confirmed it' : 'in effect, still open:';
  const end = isDone ? paint('green', 'done') : paint('yellow', unfinished);
  return `${[...lines, end, ...open.map((line) => sentence(line, width, '  '))].join('\n')}\n`;
}

/** Realised money of today beside the change of the equity, which open positions and transfers are part of. */
function todayRows(today: DayAnswer | null, { isStopped }: TextOptions): [string, string][] {
  if (today === null) return [];
  const signed = (amount: string): string => `${amount.startsWith('-') ? '' : '+'}${grouped(amount)}`;
  const { profit, fees, funding, net, equity } = today;
  const paid = Number(funding) === 0 ? '' : `, funding ${signed(funding)}`;
  const change = equity === '' ? '' : `; equity ${signed(equity)} with open positions`;
  return [
    [`${isStopped ? today.day : 'today'} UTC`, `net ${signed(net)} = profit ${signed(profit)}, fees ${grouped(fees)}${paid}${change}`],
  ];
}

function statusText(status: StatusAnswer, options: TextOptions): string {
  const { paint } = options;
  const { time, phase, bot, startedAt, equity, profit, placed, fills, requests, errors, unknownOutcomes, counts } = status;
  const ended = `${bot || 'the bot'} ended without a stop: it was killed, or the machine went down; its last sign of life was at ${when(time)}`;
  const head = options.isStopped
    ? paint('yellow', phase === 'stopped' ? `${bot || 'the bot'} is stopped; last known at ${when(time)}` : sentence(ended, options.width))
    : `${bot} is ${paint(phase === 'armed' ? 'green' : 'yellow', phase)} (process ${status.pid}, started at ${when(startedAt)})`;
  const change = profit === '' ? '' : `  ${profit.startsWith('-') ? '' : '+'}${grouped(profit)} since the journal began`;
  const { readAt, troubles = [], venueAnsweredAt } = status;
  const age: Age = options.isStopped ? 'before' : 'ago';
  const read = (at: number | undefined): string =>
    at === undefined ? '' : at === 0 ? ' (not read yet)' : ` (read ${ago(time - at, age)})`;
  const rows: [string, string][] = [
    ['venue', safeText(`${status.venue}${answered(venueAnsweredAt, time, age)}`)],
    ...troubles.map((one): [string, string] => ['trouble', paint('red', safeText(troubleText(one, time, age)))]),
    ['equity', equity === '' ? 'not read yet' : `${grouped(equity)}${change}${read(readAt?.equity)}`],
    ...todayRows(status.today ?? null, options),
    [
      'orders',
      `${openText(status, options)}${placed === undefined ? '' : `, ${grouped(String(placed))} placed`}, ${counted(fills, 'fill')} since the journal began${read(readAt?.orders)}`,
    ],
    ['refused', refusals(counts)],
    ['requests', `${grouped(String(requests))} since the start`],
    ['log', errors === 0 ? '' : `${counted(errors, 'line')} of level error since the start`],
  ];
  const { lastError } = status;
  if (lastError) rows.push(['last error', paint('yellow', safeText(`${lastError.event} at ${when(lastError.time)}: ${lastError.text}`))]);
  rows.push(...processRows(status, paint));
  if (status.onHold) rows.push(['opens', paint('yellow', safeText(status.onHold))]);
  if (unknownOutcomes > 0) rows.push(['unknown', paint('red', `${counted(unknownOutcomes, 'order')} of unknown outcome`)]);
  const parts = [
    `${head}\n`,
    table(
      COLUMNS,
      rows.filter(([, text]) => text !== ''),
      options.width,
    ),
  ];
  if (status.halts.length > 0) parts.push(`\n${haltsText(status.halts, options)}`);
  if (status.flattening !== undefined && status.flattening.length > 0) parts.push(`\n${flatteningText(status.flattening, options)}`);
  if (status.strategies.length > 0) parts.push(`\n${strategiesText(status.strategies, options)}`);
  if (status.parts !== undefined && status.parts.length > 2) parts.push(`\n${partsText(status.parts, options)}`);
  const isUnread = readAt?.positions === 0 && !options.isStopped && status.positions.length === 0;
  parts.push(isUnread ? '\nno position in the store, and none read yet\n' : `\n${positionsText(status.positions, options)}`);
  if (readAt !== undefined) parts.push(`positions${read(readAt.positions)}, prices${read(readAt.prices)}\n`);
  return parts.join('');
}

/** "2 open". An order that a stopped bot left at the venue may have filled since. */
function openText({ orders, time, watchdog }: StatusAnswer, { isStopped }: TextOptions): string {
  if (!isStopped || orders === 0) return `${orders} open`;
  return `${orders} open when last seen ${new Date(time).toISOString().slice(11, 19)}, ${watchdog ? 'before the watchdog acted' : 'may have filled since'}`;
}

const COLUMNS = [{ title: '' }, words('')];

/** Counts of intents that a limit or a halt refused, and of commands that the venue rejected, in this process; "" for none. */
function refusals(counts: Readonly<Record<string, number>>): string {
  const said = (kind: string, text: string): string[] => {
    const those = Object.entries(counts).filter(([name]) => name.startsWith(kind));
    const sum = those.reduce((total, [, count]) => total + count, 0);
    return sum === 0 ? [] : [`${grouped(String(sum))} ${text}`];
  };
  const parts = [...said('intent-refused', 'by limits or halts'), ...said('command-rejected', 'by the venue')];
  return parts.length === 0 ? '' : `${parts.join(', ')}, since the start`;
}

function haltsText(halts: readonly HaltAnswer[], { paint, width }: TextOptions): string {
  const lines = halts.flatMap(({ scope, code, detail, since, by, ends }) => [
    paint('red', `HALTED ${safeText(scope)}  ${code}`),
    sentence(`${detail}; since ${when(since)}, by ${by}`, width, '  '),
    sentence(`to end it: ${ends}`, width, '  '),
  ]);
  return `${lines.join('\n')}\n`;
}

function flatteningText(flattening: readonly Flattening[], { paint, width }: TextOptions): string {
  const lines = flattening.flatMap(({ scope, since, by, open }) => [
    paint('yellow', `FLATTENING ${safeText(scope)}`),
    sentence(`since ${when(since)}, by ${by}; left:`, width, '  '),
    ...open.map((line) => sentence(line, width, '  ')),
  ]);
  return `${lines.join('\n')}\n`;
}

function strategiesText(strategies: readonly StrategyAnswer[], { paint, width }: TextOptions): string {
  const lines = strategies.map(
    ({ name, isAdded = false, symbols, changed = {}, params, set, configured, reload, errors, isDisabled, warmingUp, universe }) => {
      const shown = firstOf(symbols, 6, ' ');
      const given = Object.entries(params).map(
        ([key, value]) => `${key}=${value}${set.includes(key) ? ` (set; ${configured?.[key] ?? 'another'} in the configuration)` : ''}`,
      );
      const other = Object.entries(changed).map(([symbol, change]) => `${symbol} was ${change}`);
      if (isAdded) other.unshift('it was added');
      const against = other.length === 0 ? '' : `  (against the configuration: ${safeText(other.join(', '))})`;
      const trouble = isDisabled ? paint('red', '  DISABLED') : errors > 0 ? paint('yellow', `  ${counted(errors, 'error')}`) : '';
      const warming = warmingUp === '' ? '' : paint('yellow', `  warming up: ${safeText(warmingUp)}`);
      const text =
        reload === undefined ? '' : paint(reload.returned === '' ? 'yellow' : 'red', `\n${sentence(reloadText(reload), width, '  ')}`);
      return `${safeText(name)}  ${shown}${against}${trouble}${warming}${given.length === 0 ? '' : `\n${sentence(given.join(' '), width, '  ')}`}${universe === undefined ? '' : universeText(universe, width)}${text}`;
    },
  );
  return `${lines.join('\n')}\n`;
}

/** Symbols that a line names, at most; `status --json` has all. */
const NAMED = 20;

function universeText(
  { by, top, candidates, at, nextAt, reading, chosen, leaving, out, requestsPerMinute }: UniverseAnswer,
  width: number,
): string {
  const shown = (texts: readonly string[]): string => firstOf(texts, NAMED);
  const made = at === 0 ? 'not chosen yet' : `chosen for ${when(at)}`;
  const next = reading !== undefined ? `, reading the past: ${reading}` : nextAt === 0 ? '' : `, next for ${when(nextAt)}`;
  const since = [...new Set(chosen.map((one) => one.since))].sort((a, b) => a - b);
  const inSince = since.map((time) => {
    const names = chosen.filter((one) => one.since === time).map(({ rank, symbol }) => `${rank === 0 ? '-' : rank} ${symbol}`);
    return `in since ${when(time)}: ${shown(names)}`;
  });
  const lines = [
    `universe: ${top} of ${candidates} candidates by ${by}, ${made}${next}; reading their trades costs ${requestsPerMinute} requests a minute`,
    ...inSince,
    ...(leaving.length === 0 ? [] : [`leaving, not flat yet: ${shown(leaving)}`]),
    ...(out.length === 0 ? [] : [`out: ${shown(out.map(({ symbol, why }) => `${symbol} (${why})`))}`]),
  ];
  return lines.map((line) => `\n${sentence(line, width, '  ')}`).join('');
}

function reloadText({ at, sha256, trialUntil, returned, onDisk }: ReloadAnswer): string {
  const disk = { same: '', other: '; the file on disk is another', missing: '; its file is not on disk any more' }[onDisk];
  const how =
    returned === '' ? `reloaded at ${when(at)}` : `came back at ${when(at)}, because the text that was loaded failed: ${returned}`;
  const trial = trialUntil === 0 ? '' : `; until ${when(trialUntil)} the text before comes back if it fails`;
  return `text ${sha256.slice(0, 12)} ${how}${trial}${disk}`;
}

/** The account by strategy. */
function partsText(rows: readonly PartAnswer[], { width }: TextOptions): string {
  const columns = [words('account by'), ...['net', 'profit', 'fees', 'funding', 'unrealised', 'value', 'can lose'].map(numbers)];
  const shown = rows.map(({ name, net, profit, fees, funding, unrealised, value, worstLoss }) => {
    return [name, ...[net, profit, fees, funding, unrealised, value, worstLoss].map((money) => grouped(money) || '-')].map(safeText);
  });
  return table(columns, shown, width);
}

function positionsText(positions: readonly PositionAnswer[], options: TextOptions): string {
  const { width } = options;
  if (positions.length === 0) return 'no position\n';
  const columns = [
    { title: 'position' },
    { title: 'side' },
    ...['size', 'entry', 'price', 'value', 'unrealised'].map(numbers),
    { ...numbers('liquidation'), flows: true as const },
  ];
  const rows = positions.map((p) =>
    [p.symbol, p.side, p.size, p.entryPrice, p.price, p.value, p.unrealised, p.liquidationPrice].map((text) => safeText(text || '-')),
  );
  return `${table(columns, rows, width)}${ownersText(positions, options)}${exitsText(positions, options)}`;
}

/** Whether a position that no read confirms is that of the store or that of a read; "" for one that a read confirms. */
function unreadText({ size, own, shown }: PositionAnswer): string {
  if (shown === undefined) return '';
  if (shown === '') return 'as the store has it, not read since the start; its exits may be others';
  if (shown === size && Number(own) === 0) return 'the venue shows it, and the store has none; further reads decide';
  return `as the store has it, and the venue shows ${shown}; its exits may be others; further reads decide`;
}

/** A line for each position that no strategy here trades, of which a part is not of this bot, or whose size or stop-loss is not known. */
function ownersText(positions: readonly PositionAnswer[], { paint, width }: TextOptions): string {
  return positions
    .flatMap((position) => {
      const { symbol, side, size, own, strategies, stopUnknown = '' } = position;
      if (strategies === undefined) return [];
      const unread = unreadText(position);
      const facts = [
        ...(strategies.length > 0 ? [] : ['no strategy here trades it']),
        ...(own !== undefined && Number(own) < Number(size) ? [`${own} of ${size} are of this bot`] : []),
        ...(unread === '' ? [] : [unread]),
        ...(/[1-9]/.test(stopUnknown) ? ['whether the venue holds a stop-loss for the rest is not known; “can lose” counts none'] : []),
      ];
      return facts.length === 0 ? [] : [`${paint('yellow', sentence(`${symbol} ${side}: ${facts.join('; ')}`, width))}\n`];
    })
    .join('');
}

/** What would close each position, and at which price; a size that no stop-loss of the venue would close has a line of its own. */
function exitsText(positions: readonly PositionAnswer[], { isStopped, paint, width }: TextOptions): string {
  const columns = [
    { title: 'exits of' },
    { title: 'side' },
    { title: 'held by' },
    { title: 'exit' },
    ...['size', 'price', 'distance'].map(numbers),
  ];
  const rows = positions.flatMap((position) => {
    const { symbol, side, exits, shown } = position;
    if (exits === undefined) return [];
    return [
      ...bareOf(position).map(([why, size]) =>
        [symbol, side, shown === undefined ? 'venue' : 'store', why, size, '-', '-'].map((text) => paint('red', safeText(text))),
      ),
      ...summed(exits).map(({ by, what, size, price, limit, distance }) =>
        [
          symbol,
          side,
          by === 'bot' ? (isStopped ? 'bot (off)' : by) : shown === undefined ? by : 'store',
          what,
          size,
          price === '' ? 'not yet' : `${price}${limit === '' ? '' : ` limit ${limit}`}`,
          distance === '' ? '-' : `${distance} %`,
        ].map(safeText),
      ),
    ];
  });
  return rows.length === 0 ? '' : `\n${table(columns, rows, width)}${lockedText(positions, { isStopped, paint, width })}`;
}

/** Sizes that no stop-loss of the venue is known to close: there is none, nobody here knows, or a closing order that rests locks the size. */
function bareOf({ size, unprotected = '', locked = '0', stopUnknown = '0' }: PositionAnswer): (readonly [why: string, size: string])[] {
  if (!/[1-9]/.test(unprotected)) return [];
  const none = 'no stop-loss';
  // Lots of a symbol without rules are no decimals.
  if (![size, unprotected, locked, stopUnknown].every((text) => /^\d+(\.\d+)?$/.test(text))) return [[none, unprotected]];
  const decimals = writtenDecimals(size);
  const [bare, held, unknown] = [unprotected, locked, stopUnknown].map((text) => parseScaled(text, decimals));
  const parts = [
    [none, bare! - unknown! - held!],
    ['stop-loss not known', unknown!],
    ['stop-loss, size locked', held!],
  ] as const;
  return parts.filter(([, lots]) => lots > 0).map(([why, lots]) => [why, formatScaled(lots, decimals)]);
}

/** What the stop-losses of the venue close while a closing order rests, a line for each position; "" if none is locked. */
function lockedText(positions: readonly PositionAnswer[], { paint, width }: TextOptions): string {
  return positions
    .flatMap(({ symbol, side, size, unprotected = '', locked = '0' }) => {
      if (!/[1-9]/.test(locked)) return [];
      const decimals = writtenDecimals(size);
      const closed = formatScaled(parseScaled(size, decimals) - parseScaled(unprotected, decimals), decimals);
      const text = `${symbol} ${side}: the stop-loss closes ${closed} of ${size}; a closing order that rests locks ${locked}, until it fills or is cancelled`;
      return [`${paint('yellow', sentence(text, width))}\n`];
    })
    .join('');
}

function ordersText(orders: readonly OrderAnswer[], { width }: TextOptions): string {
  if (orders.length === 0) return 'no open order; stops and targets of positions: tickwright positions\n';
  const columns = [
    numbers('number'),
    { title: 'symbol' },
    { title: 'order' },
    ...['price', 'size', 'filled'].map(numbers),
    { title: 'state' },
    words('strategy'),
    ...(orders.some((one) => bracketText(one) !== '') ? [words('bracket')] : []),
  ];
  const rows = orders.map((o) => {
    const order = [o.kind === 'spot' ? o.kind : '', o.side, o.effect].filter((word) => word !== '').join(' ');
    return [
      String(o.number),
      o.symbol,
      order,
      orderPrice(o),
      o.size,
      o.filled,
      o.state,
      o.strategy || PLACED_BY[o.placedBy ?? ''],
      bracketText(o),
    ].map(safeText);
  });
  return table(columns, rows, width);
}

/** Of an order without a strategy. */
const PLACED_BY = { watchdog: 'the watchdog', unknown: 'own, not in this store', '': '-' };

/** "stop-loss 59000.0, take-profit 61000.0", or "". */
function bracketText({ stopLoss, takeProfit }: OrderAnswer): string {
  return [stopLoss && `stop-loss ${stopLoss}`, takeProfit && `take-profit ${takeProfit}`].filter((one) => one !== '').join(', ');
}

/** "60000.0", "market", or for a trigger order "market at 59000.0", with "mark" if the mark price fires it. */
function orderPrice({ price, trigger, triggerBy }: OrderAnswer): string {
  return `${price || 'market'}${trigger === '' ? '' : ` at ${trigger}${triggerBy === 'MARK' ? ' mark' : ''}`}`;
}

function fillsText(fills: readonly FillAnswer[], { width }: TextOptions): string {
  if (fills.length === 0) return 'no fill\n';
  const columns = [
    { title: 'time (UTC)' },
    { title: 'symbol' },
    { title: 'fill' },
    ...['size', 'price', 'fee', 'profit', 'after'].map(numbers),
    words('reason'),
  ];
  const rows = fills.map((f) => {
    const cents = (money: string): string => (money === '' ? '-' : Number(money).toFixed(2));
    const time = new Date(f.time).toISOString().slice(5, 19).replace('T', ' ');
    return [
      time,
      f.symbol,
      `${f.side} ${f.effect}`,
      f.size,
      f.price || '-',
      cents(f.fee),
      f.effect === 'CLOSE' ? cents(f.profit) : '',
      f.positionAfter,
      f.reason,
    ].map(safeText);
  });
  return table(columns, rows, width);
}

function limitsText(limits: readonly LimitLevel[], { width }: TextOptions): string {
  if (limits.length === 0) return 'no limit has a value\n';
  const rows = limits.map(({ scope, setting, value, limit, unit, share, effect }) => {
    const used = share === null ? 'unknown' : `${Math.floor(share * 100)} %`;
    return [safeText(setting), safeText(scope), grouped(value) || 'unknown', grouped(limit) || 'unknown', unit, used, effect];
  });
  return table([words('limit'), words('of'), numbers('now'), numbers('limit'), words(''), numbers('used'), words('at 100 %')], rows, width);
}

function profitText(by: string, groups: readonly ProfitRow[], { width }: TextOptions): string {
  const columns = [
    words(by === 'day' ? 'day UTC' : by),
    ...['net', 'profit', 'fees', 'funding', 'fills', 'closes', 'won', 'volume'].map(numbers),
  ];
  const rows = groups.map(({ key, net, profit, fees, funding, fills, closed, wins, volume }) => {
    const money = [net, profit, fees, funding].map(grouped);
    return [safeText(key), ...money, String(fills), String(closed), String(wins), grouped(volume)];
  });
  return table(columns, rows, width);
}

/** Rows as CSV with a header line. Fields are quoted where needed, and no field can be read as a formula. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const keys = Object.keys(first);
  const lines = rows.map((row) => keys.map((key) => cell(row[key], key)).join(','));
  return `${[keys.join(','), ...lines].join('\r\n')}\r\n`;
}

const TIMES: ReadonlySet<string> = new Set(['time', 'createdAt', 'openedAt', 'closedAt']);

function cell(value: unknown, key: string): string {
  const text =
    TIMES.has(key) && typeof value === 'number'
      ? new Date(value).toISOString()
      : typeof value === 'string' || typeof value === 'number'
        ? String(value)
        : '';
  return csvField(text);
}
