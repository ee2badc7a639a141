/**
 * Continues a recorded session with a simulated venue: the market of the recording, and an account that begins like the recorded one. Used
 * from the point where a bot decides differently from the recorded one, because then the venue's recorded answers no longer fit.
 */
import type { BotConfig } from '../../config/model.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import { LIMIT, LONG, MARKET, OPEN, PLACE, SHORT } from '../../domain/codes.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import { emptyCommand, type Approved, type Command, type IdentitySpec } from '../../domain/orders/command.ts';
import { ticksOf, type Instrument } from '../../domain/instrument.ts';
import { SUBMITTING, isEnded } from '../../domain/orders/order.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Lots } from '../../domain/amounts/units.ts';
import { OPERATE, STOP } from '../../engine/event.ts';
import { OrderThrottle } from '../../engine/polling/order-throttle.ts';
import type { SavedOrder } from '../../engine/state/records/saved.ts';
import type { Answer, OrderPort, Query, ReadPort } from '../../ports/venue.ts';
import { ACCEPTED, ANSWERED, type Inbox } from '../../ports/venue-event.ts';
import { VenueSim } from '../../sim/core/venue-core.ts';
import { SimPort } from '../../sim/port/port.ts';
import { FUTURES } from '../../sim/state/kinds.ts';
import type { LedgerSink } from '../../sim/state/types.ts';
import { orderIdOf } from '../../sim/state/ids/wire-ids.ts';
import { commandRates } from '../setup/bot-parts.ts';
import { simTerms, KEPT_FOR_POLLS, MANY_LOTS } from '../setup/sim-terms.ts';
import { COMMAND, END, eventOf, type Entry, type EventEntry, isOutput } from '../session/entries.ts';
import { isOfMarket, type KnownVenue } from './known-venue.ts';
import { isReached, type Place } from './session-place.ts';
import type { HandedOver } from './player.ts';

export interface SimulatedSpec {
  readonly config: BotConfig;
  readonly instruments: readonly Instrument[];
  readonly identity: IdentitySpec;
  readonly ids: ClientIds;
  /** What was known of the venue when it begins. */
  readonly known: KnownVenue;
  readonly until: Place;
  /** Number of the last event that was played. */
  readonly events: number;
  /** Called each time that everything due by this time was done. */
  readonly settled?: (time: number) => void;
}

/** A command that was given out, and when. */
export interface Given {
  readonly at: number;
  readonly command: Command;
}

export interface Simulated {
  /** Commands with a simulated venue, and those of the recording from the same event on. */
  readonly commands: readonly Given[];
  readonly recorded: readonly Given[];
  readonly endedAt: number;
  readonly fills: number;
  /** Money at the beginning and at the end: simulated, and as the recording says it. */
  readonly startEquity: number;
  readonly equity: number;
  readonly recordedEquity: number;
  /** Orders that were open and cannot be taken over: trigger orders and spot orders. */
  readonly leftOut: number;
}

/** Money with which positions are opened before the account has what it should have. */
const SEED_MONEY = '10000000';

export class SimulatedVenue implements OrderPort, ReadPort {
  readonly #spec: SimulatedSpec;
  readonly #sim: VenueSim;
  readonly #port: SimPort;
  readonly #throttle: OrderThrottle;
  readonly #bot: HandedOver;
  readonly #commands: Given[] = [];
  readonly #recorded: Given[] = [];
  /** By the id at this venue: orders that were taken over, as the bot knows them. */
  readonly #names = new Map<string, Pick<OrderReport, 'venueId' | 'clientId' | 'size'>>();
  /** By command: the venue id of the order that it is about, as the bot knows it. */
  readonly #targets = new Map<number, string>();
  /** Newest trade of each instrument that the market has had. */
  readonly #trades = new Map<number, number>();
  #fills = 0;
  #leftOut = 0;
  #startEquity = 0;
  #recordedEquity = 0;

  /** `bot` is connected with it and is about to go on; its clock says when. `orders` are those that the bot knows. */
  constructor(spec: SimulatedSpec, bot: HandedOver, orders: readonly SavedOrder[]) {
    this.#spec = spec;
    this.#bot = bot;
    const { config, instruments, identity } = spec;
    const { upMs, downMs, fillModel, deposits } = config.simulation;
    const { leverage, leverages, funding } = simTerms(config.simulation);
    const accounts = [{ name: 'bot', futures: SEED_MONEY, spot: deposits, leverage: leverages }];
    this.#sim = new VenueSim({ instruments, accounts, fillModel, leverage, funding, ...KEPT_FOR_POLLS }, this.#ledger());
    this.#port = new SimPort({ sim: this.#sim, account: 0, identity, latency: { upMs, downMs }, clock: bot.clock, push: false });
    this.#throttle = new OrderThrottle({ orders: this.#port, clock: bot.clock, rates: commandRates(config) });
    const { inbox } = bot.kernel;
    this.#port.connect(this.#hearingOutcomes(inbox), this.#hearingAnswers(inbox));
    this.#throttle.connect(inbox, (command) => bot.kernel.vetoOf(command));
    this.#seed(orders);
    this.#fills = 0;
  }

  execute(command: Approved<Command>): void {
    this.#commands.push({ at: this.#bot.clock.time, command: { ...command } });
    if (!makesOrder(command.kind)) this.#targets.set(command.seq, command.targetVenueId);
    this.#throttle.execute(command);
  }

  query(query: Query): void {
    this.#port.query(query);
  }

  /** Goes on with the entries that were not played. */
  run(rest: Iterable<Entry>): Simulated {
    const { until } = this.#spec;
    const { others, open, questions, clock } = this.#bot;
    for (const command of others) this.#commands.push({ at: clock.time, command });
    for (const command of open) this.#throttle.execute(command);
    for (const query of questions) this.#port.query(query);
    this.#settle();
    let event = this.#spec.events;
    let at = clock.time;
    for (const entry of rest) {
      if (entry.kind === END) break;
      if (isOutput(entry)) {
        if (entry.kind === COMMAND) this.#recorded.push({ at, command: entry.body });
      } else if ('at' in entry) {
        if (isReached(until, ++event, entry.at)) break;
        at = entry.at;
        this.#runUntil(at);
        this.#event(entry);
        this.#settle();
      }
    }
    return {
      commands: this.#commands,
      recorded: this.#recorded,
      endedAt: clock.time,
      fills: this.#fills,
      startEquity: this.#startEquity,
      equity: this.#sim.equity(0),
      recordedEquity: this.#recordedEquity,
      leftOut: this.#leftOut,
    };
  }

  /** The market and the person of the recording act; what the venue said to the recorded bot does not count. */
  #event(entry: EventEntry): void {
    if (entry.kind === ANSWERED && entry.answer) this.#hear(entry.answer);
    else if (entry.kind === OPERATE || entry.kind === STOP) this.#bot.kernel.step(eventOf(entry, null));
  }

  #hear(answer: Answer): void {
    const sim = this.#sim;
    const now = this.#bot.clock.time;
    if (answer.kind === 'quotes') {
      for (const { instrument, bid, bidSize, ask, askSize } of answer.quotes) sim.quote(instrument, bid, bidSize, ask, askSize, now);
    } else if (answer.kind === 'trades') {
      for (const { instrument, price, size, aggressor, tradeId } of [...answer.trades].sort(
        (a, b) => Number(a.tradeId) - Number(b.tradeId),
      )) {
        const id = Number(tradeId);
        if (id <= (this.#trades.get(instrument) ?? 0)) continue;
        this.#trades.set(instrument, id);
        sim.trade(instrument, price, size, aggressor, now, id);
      }
    } else if (answer.kind === 'account') {
      this.#recordedEquity = answer.account.equity;
    }
  }

  #runUntil(time: number): void {
    const { clock } = this.#bot;
    for (let due = this.#due(); due <= time; due = this.#due()) {
      clock.time = Math.max(clock.time, due);
      this.#settle();
    }
    clock.time = Math.max(clock.time, time);
  }

  #due(): number {
    return Math.min(this.#sim.nextDue, this.#port.nextDue, this.#throttle.nextDue, this.#bot.kernel.nextTimer);
  }

  /** Everything that is due now. */
  #settle(): void {
    const { clock, kernel } = this.#bot;
    const now = clock.time;
    while (this.#due() <= now) {
      if (this.#sim.nextDue <= now) this.#sim.advance(now);
      if (this.#port.nextDue <= now) this.#port.run();
      if (kernel.nextTimer <= now) kernel.inbox.runTimers(now);
      if (this.#throttle.nextDue <= now) this.#throttle.drain(now);
    }
    this.#spec.settled?.(now);
  }

  /** The account as the recording last said it: leverage, positions, money, orders. */
  #seed(orders: readonly SavedOrder[]): void {
    const { known, instruments } = this.#spec;
    const sim = this.#sim;
    const now = this.#bot.clock.time;
    for (const { instrument, longLeverage, shortLeverage, marginMode } of known.accounts) {
      sim.setMarginMode(0, instrument, marginMode, now);
      sim.setLeverage(0, instrument, LONG, longLeverage, now);
      sim.setLeverage(0, instrument, SHORT, shortLeverage, now);
    }
    for (const { instrument, side, total, entryPrice, marginMode } of known.positions) {
      const price = ticksOf(entryPrice, instruments[instrument]!, 'down');
      sim.quote(instrument, price, MANY_LOTS, price, MANY_LOTS, now);
      const command = { ...emptyCommand(), kind: PLACE, instrument, side, effect: OPEN, type: MARKET, size: total, marginMode, time: now };
      const no = sim.place(0, command, 0, now);
      this.#names.set(orderIdOf(FUTURES, no), { venueId: '', clientId: '', size: 0 as Lots });
    }
    for (const instrument of instruments) {
      const answer = known.answerTo({ kind: 'quotes', instrument: instrument.index }) ?? known.answerTo({ kind: 'quotes', instrument: -1 });
      if (answer !== null) this.#hear(answer);
    }
    const [account] = known.accounts;
    const coin = instruments.find(({ product }) => product === 'futures')?.quoteCoin ?? 'USDT';
    this.#recordedEquity = account?.equity ?? 0;
    if (account !== undefined) sim.deposit(0, false, coin, account.equity - sim.equity(0));
    this.#startEquity = sim.equity(0);
    for (const order of orders) this.#takeOver(order, now);
  }

  /** An order that the venue had accepted is open here as well; one under way is among the commands without an outcome. */
  #takeOver(order: SavedOrder, now: number): void {
    if (isEnded(order.state) || order.state === SUBMITTING || order.venueId === '') return;
    const instrument = this.#spec.instruments.find((one) => one.product === 'futures' && one.symbol === order.symbol)?.index ?? -1;
    const { seq, side, effect, price, marginMode, venueId } = order;
    if (order.kind !== PLACE || order.type !== LIMIT || instrument < 0) return void this.#leftOut++;
    const size = order.size - order.filled;
    const command = { ...emptyCommand(), kind: PLACE, seq, instrument, side, effect, type: LIMIT, price, size, marginMode, time: now };
    const no = this.#sim.place(0, command, seq, now);
    if (no === 0) return void this.#leftOut++;
    this.#names.set(orderIdOf(FUTURES, no), { venueId, clientId: order.clientId ?? this.#spec.ids.idOf(seq), size: order.size as Lots });
  }

  /** Orders that were taken over have their recorded names. */
  #hearingOutcomes(inbox: Inbox): Inbox {
    return {
      take: (event) => {
        if (event.kind === ACCEPTED) event.text = this.#targets.get(event.seq) ?? ownName(event.text);
        inbox.take(event);
      },
    };
  }

  /** Answers about the market are those of the recording. */
  #hearingAnswers(inbox: Inbox): Inbox {
    const { known } = this.#spec;
    return {
      take: (event) => {
        const query = event.query!;
        const given = event.kind === ANSWERED ? event.answer! : null;
        const recorded = given === null || isOfMarket(given.kind) ? known.answerTo(query) : null;
        const now = this.#bot.clock.time;
        if (recorded !== null && given === null) event.answered(query, structuredClone(recorded), now, now);
        else if (given !== null) event.answer = recorded === null ? this.#named(given) : structuredClone(recorded);
        inbox.take(event);
      },
    };
  }

  #named(answer: Answer): Answer {
    if (answer.kind !== 'pending' && answer.kind !== 'history') return answer;
    const named = answer.orders.map((order) => ({ ...order, venueId: ownName(order.venueId), ...this.#names.get(order.venueId) }));
    const orders = named.filter(({ venueId }) => venueId !== '');
    return { ...answer, orders };
  }

  #ledger(): LedgerSink {
    const ignore = (): void => undefined;
    return { wantsFillsAlone: true, order: ignore, ended: ignore, cash: ignore, fill: () => void this.#fills++ };
  }
}

/** Ids of this venue, so that none is taken for one of the recording. */
function ownName(venueId: string): string {
  return `sim-${venueId}`;
}
