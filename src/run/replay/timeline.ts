/**
 * The timeline of a session, collected while it is replayed: orders from placing to end, halts, operator commands, problems, and prices.
 */
import { COMMANDS, EFFECTS, ORDER_TYPES, SIDES } from '../../domain/codes.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import { priceOf, sizeOf, tradedName, type Instrument } from '../../domain/instrument.ts';
import { ORDER_STATES } from '../../domain/orders/order.ts';
import { CLOCK_SKEW, EVENT_NAMES, JOURNAL_AWAY, OPERATE, START, STOP } from '../../engine/event.ts';
import { ANSWERED, FAILED } from '../../ports/venue-event.ts';
import type { JournalRecord } from '../../ports/store.ts';
import type { TimelineData, TimelineHalt, TimelineOrder, TimelineRow } from '../../report/timeline/timeline-page.ts';
import type { EventEntry } from '../session/entries.ts';

/** Points of a price line. */
const POINTS = 3_000;
/** Events that are shown as they are. Other events show by what they bring about. */
const SHOWN_EVENTS: ReadonlySet<number> = new Set([FAILED, CLOCK_SKEW, JOURNAL_AWAY, START, STOP]);

/** Hears of each event and of each journal record. */
export interface PlayWatch {
  event(entry: EventEntry, text: string): void;
  record(record: JournalRecord): void;
}

export class Timeline implements PlayWatch {
  readonly #instruments: readonly Instrument[];
  readonly #rows: TimelineRow[] = [];
  readonly #orders = new Map<number, { -readonly [K in keyof TimelineOrder]: TimelineOrder[K] }>();
  /** By number of a command that makes no order: the order that it is about. */
  readonly #about = new Map<number, number>();
  readonly #halts: { -readonly [K in keyof TimelineHalt]: TimelineHalt[K] }[] = [];
  readonly #prices = new Map<number, [time: number, mid: number][]>();

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  event(entry: EventEntry, text: string): void {
    const { kind, at, answer, command } = entry;
    if (kind === ANSWERED && answer?.kind === 'quotes') {
      for (const { instrument, bid, ask } of answer.quotes) this.#price(instrument, at, (bid + ask) / 2);
    } else if (kind === OPERATE) this.#row(at, 'operator', '', 0, JSON.stringify(command));
    else if (SHOWN_EVENTS.has(kind)) this.#row(at, kind === FAILED ? 'trouble' : 'bot', '', 0, `${text} ${entry.text ?? ''}`.trim());
  }

  record({ kind, seq, time, data }: JournalRecord): void {
    switch (kind) {
      case 'command':
        return this.#command(seq, time, data);
      case 'outcome': {
        const order = this.#orders.get(this.#about.get(seq) ?? seq);
        if (order !== undefined && this.#about.get(seq) === undefined && data['status'] === 'accepted') order.accepted = time;
        const why = data['why'] === '' ? '' : `: ${wordsOf(data['why'])}`;
        return this.#row(
          time,
          data['status'] === 'accepted' ? 'accepted' : 'outcome',
          order?.symbol ?? '',
          order?.seq ?? seq,
          `command ${seq} ${wordsOf(data['status'])}${why}`,
        );
      }
      case 'fill':
        return this.#fill(seq, time, Number(data['lots']), Number(data['ticks']));
      case 'ended': {
        const order = this.#orders.get(seq);
        const how = ORDER_STATES[Number(data['how'])] ?? wordsOf(data['how']);
        if (order !== undefined) Object.assign(order, { to: time, end: how });
        return this.#row(time, 'ended', order?.symbol ?? '', seq, how);
      }
      case 'halt':
        this.#halts.push({
          key: keyOf(data, seq),
          symbol: symbolIn(data['scope']),
          from: time,
          to: 0,
          text: `${wordsOf(data['code'])}: ${wordsOf(data['detail'])}`,
        });
        return this.#row(time, 'halt', symbolIn(data['scope']), 0, `${wordsOf(data['code'])}: ${wordsOf(data['detail'])}`);
      case 'lift': {
        for (const halt of this.#halts) if (halt.to === 0 && halt.key === keyOf(data, seq)) halt.to = time;
        return this.#row(time, 'lift', symbolIn(data['scope']), 0, `${wordsOf(data['code'])}: ${wordsOf(data['why'])}`);
      }
      case 'settled':
        return;
      default:
        return this.#row(time, kind === 'leg' ? 'leg' : 'note', wordsOf(data['symbol']), seq, `${kind} ${JSON.stringify(data)}`);
    }
  }

  /** The first difference of the replay. */
  differs(at: number, text: string): void {
    this.#row(at, 'difference', '', 0, text);
  }

  data(about: Pick<TimelineData, 'session' | 'from' | 'to' | 'facts'>): TimelineData {
    return {
      ...about,
      symbols: this.#instruments.flatMap((one) => {
        const points = this.#prices.get(one.index) ?? [];
        const step = Math.max(1, Math.ceil(points.length / POINTS));
        const isUsed = points.length > 0 || [...this.#orders.values()].some(({ symbol }) => symbol === tradedName(one));
        return isUsed ? [{ name: tradedName(one), prices: points.filter((_, k) => k % step === 0 || k === points.length - 1) }] : [];
      }),
      orders: [...this.#orders.values()],
      halts: this.#halts,
      rows: this.#rows,
    };
  }

  #command(seq: number, time: number, data: JournalRecord['data']): void {
    const kind = Number(data['kind']);
    const target = Number(data['target']);
    const symbol = wordsOf(data['symbol']);
    const instrument = this.#instruments[Number(data['instrument'])]!;
    const name = tradedName(instrument);
    const text = `${COMMANDS[kind] ?? kind}${target > 0 ? ` of order ${target}` : ''}`;
    if (!makesOrder(kind)) {
      this.#about.set(seq, target);
      return this.#row(time, 'command', name, target, `${text} (${wordsOf(data['reason'])})`);
    }
    const before = this.#orders.get(target);
    const price = priceOf(Number(data['price']) || Number(data['trigger']) || (before?.ticks ?? 0), instrument);
    const size = sizeOf(Number(data['size']), instrument);
    const what = `${SIDES[Number(data['side'])]} ${EFFECTS[Number(data['effect'])]} ${ORDER_TYPES[Number(data['type'])]}`;
    this.#orders.set(seq, {
      seq,
      symbol: name,
      what,
      strategy: wordsOf(data['strategy']),
      ticks: Number(data['price']) || (before?.ticks ?? 0),
      price,
      size,
      from: time,
      accepted: 0,
      to: 0,
      end: '',
      fills: [],
    });
    this.#row(
      time,
      'command',
      symbol === '' ? '' : name,
      seq,
      `${text} ${what} ${size} at ${price || 'market'} (${wordsOf(data['reason'])})`,
    );
  }

  #fill(seq: number, time: number, lots: number, ticks: number): void {
    const order = this.#orders.get(seq);
    const instrument = this.#instruments.find((one) => tradedName(one) === order?.symbol);
    if (order === undefined || instrument === undefined) return this.#row(time, 'fill', '', seq, `${lots} lots`);
    const price = ticks > 0 ? priceOf(ticks, instrument) : order.price;
    order.fills.push([time, price, sizeOf(lots, instrument)]);
    this.#row(time, 'fill', order.symbol, seq, `${sizeOf(lots, instrument)} at ${price || 'a price that was not read yet'}`);
  }

  #price(instrument: number, at: number, mid: number): void {
    const spec = this.#instruments[instrument];
    if (spec === undefined) return;
    const points = this.#prices.get(instrument) ?? [];
    this.#prices.set(instrument, points);
    const price = priceOf(mid, spec);
    if (points.at(-1)?.[1] !== price) points.push([at, price]);
  }

  #row(time: number, kind: TimelineRow[1], symbol: string, order: number, text: string): void {
    this.#rows.push([time, kind, symbol, order, text]);
  }
}

/** What an event is called, with its question. */
export function eventText(kind: number, query: string | undefined): string {
  return `${EVENT_NAMES[kind] ?? String(kind)}${query === undefined ? '' : ` ${query}`}`;
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : value === undefined ? '' : JSON.stringify(value);
}

function keyOf(data: JournalRecord['data'], seq: number): string {
  return `${JSON.stringify(data['scope'])} ${wordsOf(data['code'])} ${seq}`;
}

/** The symbol of a halt, such as "symbol:BTCUSDT"; "" where it is of the bot, of a strategy or of an account. */
function symbolIn(scope: unknown): string {
  return /^(?:symbol|leg):([^:]+)/.exec(wordsOf(scope))?.[1] ?? '';
}
