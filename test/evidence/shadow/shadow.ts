/**
 * Listens to what a bot sends and hears in a simulation, and knows by it what every order may have filled by now. Chains of modified orders
 * count as one order. An order that the bot did not send is a bracket that fired, what a trigger order became, or of another party.
 */
import { CANCEL, CANCEL_TRIGGER, LONG, MODIFY, OPEN as OPENS, PLACE, PLACE_TRIGGER, SHORT } from '../../../src/domain/codes.ts';
import type { Command } from '../../../src/domain/orders/command.ts';
import type { OrderReport } from '../../../src/domain/report.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { FeeRates } from '../../../src/engine/state/records/fee-rates.ts';
import type { Order } from '../../../src/engine/state/records/order.ts';
import { Absences } from './absences.ts';
import { CLOSE, OPEN } from '../solver/facts.ts';
import { hasSameFills, isNewer, NEVER, type Chain, type Heard } from './chain.ts';
import { LegShadow } from './leg-shadow.ts';
import { MarketTrades } from './market.ts';
import type { Solution } from '../solver/solve-leg.ts';

export class Shadow {
  readonly legs: LegShadow[];
  /** By instrument. */
  readonly markets: readonly MarketTrades[];
  readonly #instruments: readonly Instrument[];
  readonly #rates: readonly FeeRates[];
  readonly #chainOf = new Map<string, { chain: Chain; leg: LegShadow }>();
  /** By the id of the cancel: the order that it cancels. */
  readonly #cancelOf = new Map<string, string>();
  /** Ids of cancels of trigger orders: one that is accepted says that nothing came of the order. */
  readonly #ofTrigger = new Set<string>();
  /** The client id of each order, by its venue id. */
  readonly #named = new Map<string, string>();

  constructor(instruments: readonly Instrument[], lag: number, horizon: number, begun: number) {
    this.#instruments = instruments;
    this.#rates = instruments.map((instrument) => new FeeRates(instrument));
    this.markets = instruments.map(() => new MarketTrades());
    this.legs = this.markets.flatMap((market) => [LONG, SHORT].map((side) => new LegShadow(lag, horizon, market, side, begun)));
  }

  /** Bytes of a command leave for the venue at `now`. `target`: id of the order that it changes or cancels. */
  sent(command: Command, id: string, target: string, now: number): void {
    const { kind } = command;
    if (kind === PLACE || kind === PLACE_TRIGGER) {
      const leg = this.legs[2 * command.instrument + command.side]!;
      const known = this.#chainOf.get(id);
      if (known !== undefined) {
        known.chain.sends++;
        return;
      }
      const isTrigger = kind === PLACE_TRIGGER;
      const effect = !isTrigger && command.effect !== OPENS ? CLOSE : OPEN;
      const { size, type, force, price } = command;
      const chain: Chain = {
        ...BLANK,
        ids: [id],
        lastId: id,
        sizes: [size],
        effect,
        from: now,
        type,
        force,
        price,
        isTrigger,
        ...freshParts(),
      };
      guard(chain, command);
      leg.chains.push(chain);
      this.#chainOf.set(id, { chain, leg });
    } else if (kind === MODIFY) {
      const known = this.#chainOf.get(target);
      if (known === undefined || this.#chainOf.has(id)) return;
      known.chain.ids.push(id);
      known.chain.lastId = id;
      known.chain.sizes.push(command.size > 0 ? command.size : known.chain.sizes[known.chain.ids.indexOf(target)]!);
      guard(known.chain, command);
      this.#chainOf.set(id, known);
    } else if (kind === CANCEL_TRIGGER) this.#ofTrigger.add(id);
    if (kind === CANCEL || kind === CANCEL_TRIGGER) this.#cancelOf.set(id, target || (this.#named.get(command.targetVenueId) ?? ''));
  }

  /** The venue accepted the command by `now`. */
  accepted(id: string, now: number): void {
    const target = this.#cancelOf.get(id);
    const known = this.#chainOf.get(target ?? id);
    if (known === undefined) return;
    const { chain } = known;
    if (target !== undefined) {
      // No order was made of a trigger order that was cancelled.
      if (this.#ofTrigger.has(id)) chain.from = NEVER;
      else {
        // Nothing replaced the order that was there to cancel.
        chain.cancelledBy = Math.min(chain.cancelledBy, now);
        if (!chain.isTrigger) chain.lastId = target;
      }
    } else if (!chain.isTrigger) chain.by = Math.min(chain.by, now);
  }

  /** The venue refused the order, or never had it: it was sent once, so it never comes to be. */
  refused(id: string, why: string, now: number): void {
    const target = this.#chainOf.get(this.#cancelOf.get(id) ?? '');
    if (target !== undefined && why === 'order-not-found') target.chain.notFoundAt = Math.min(target.chain.notFoundAt, now);
    const known = this.#chainOf.get(id);
    if (known === undefined || known.chain.sends > 1 || why === 'duplicate-client-id') return;
    const { chain } = known;
    const at = chain.ids.indexOf(id);
    if (at === 0) chain.from = NEVER;
    else if (!chain.records.has(id)) {
      // The order stays what it was.
      chain.ids.splice(at, 1);
      chain.sizes.splice(at, 1);
      if (chain.lastId === id) chain.lastId = chain.ids.at(-1)!;
      this.#chainOf.delete(id);
    }
  }

  /** An answer arrived. Returns the legs that it says something about. */
  heard(query: Query, answer: Answer, answered: number, idOf: (clientId: string) => string): LegShadow[] {
    const touched = new Set<LegShadow>();
    for (const [instrument, market] of this.markets.entries())
      if (query.instrument < 0 || query.instrument === instrument) market.readUntil = Math.max(market.readUntil, answered);
    const asked = this.legs.filter((_, at) => query.instrument < 0 || query.instrument === at >> 1);
    if (answer.kind === 'positions') {
      for (const leg of asked) {
        const at = this.legs.indexOf(leg);
        leg.positions(
          answer.positions.find((one) => 2 * one.instrument + one.side === at),
          answered,
        );
        touched.add(leg);
      }
    }
    if (answer.kind !== 'pending' && answer.kind !== 'history') return this.#ofUse(touched);
    const listed = new Set<Chain>();
    for (const report of answer.orders) {
      const leg = this.legs[2 * report.instrument + report.side]!;
      const chain = this.#chainOfReport(leg, report, idOf);
      if (chain === null) continue;
      listed.add(chain);
      touched.add(leg);
      this.#note(chain, report.clientId === '' ? chain.ids[0]! : idOf(report.clientId), { report, answered });
    }
    const isWhole = answer.kind === 'history' && query.kind === 'history' && answer.rest === undefined && query.before === undefined;
    for (const leg of asked) {
      if (answer.kind === 'pending') leg.wholeList(null, answered);
      if (isWhole && query.clientId === '') leg.wholeList(query.since, answered);
      for (const chain of leg.chains) {
        // The venue may show what a trigger order became under another id.
        if (chain.isTrigger && !chain.isNamed) continue;
        if (answer.kind === 'pending') chain.notPending.listed(listed.has(chain), answered);
        if (!isWhole) continue;
        const isAsked = query.clientId === '' ? query.since <= chain.from : query.clientId === chain.ids[0];
        if (isAsked) chain.notEnded.listed(listed.has(chain), answered);
      }
    }
    for (const leg of touched) leg.bind((venueId, chain) => this.#chainOf.set(venueId, { chain, leg }));
    return this.#ofUse(touched);
  }

  #ofUse(legs: ReadonlySet<LegShadow>): LegShadow[] {
    return [...legs].filter((leg) => leg.chains.length > 0);
  }

  /** The chain of a record; one without a client id makes a chain of its own. null if the order is decided, and forgotten. */
  #chainOfReport(leg: LegShadow, report: OrderReport, idOf: (clientId: string) => string): Chain | null {
    const id = report.clientId === '' ? report.venueId : idOf(report.clientId);
    this.#named.set(report.venueId, id);
    const known = this.#chainOf.get(id);
    if (known !== undefined) {
      if (report.clientId !== '') known.chain.isNamed = true;
      return known.chain;
    }
    if (report.clientId !== '' || leg.forgotten.has(id) || report.updatedAt <= leg.adoptedAt) return null;
    const { createdAt, effect, price, size, type } = report;
    const chain: Chain = {
      ...BLANK, ids: [id], lastId: id, sizes: [size], effect: effect === OPENS ? OPEN : CLOSE, from: createdAt, by: createdAt, type, price, isOther: true, isNamed: true, ...freshParts(),
    }; // prettier-ignore
    leg.chains.push(chain);
    this.#chainOf.set(id, { chain, leg });
    return chain;
  }

  #note(chain: Chain, id: string, heard: Pick<Heard, 'report' | 'answered'>): void {
    const before = chain.records.get(id);
    if (before !== undefined && isNewer(before, heard)) return;
    const { report } = heard;
    const average = this.#average(report);
    const paid = paidBy(chain, report);
    const rates = this.#rates[report.instrument]!;
    if (report.status === 'filled' && !chain.isOther) rates.learn(paid, average, report.fee);
    const isPart = report.status !== 'filled' && report.averagePrice > 0 && !chain.isOther;
    const since = before !== undefined && hasSameFills(before.report, report) ? before.since : report.updatedAt;
    chain.records.set(id, { ...heard, since, ...(isPart ? rates.range(paid, average, report.fee) : {}) });
  }

  #average({ averagePrice, instrument }: OrderReport): number {
    const { priceScale, tickStep } = this.#instruments[instrument]!;
    return (averagePrice * priceScale) / tickStep;
  }

  /** Orders that can fill no more, and did all they did before every kept read, become a part of the start. */
  fold(leg: LegShadow, solution: Solution, now: number): void {
    for (const chain of leg.fold(solution, now)) for (const id of [chain.alias, ...chain.ids]) this.#chainOf.delete(id);
  }

  /** Nothing explains the leg: it is taken as reads show it. */
  adopt(leg: LegShadow, solution: Solution): void {
    for (const chain of leg.adopt(solution)) for (const id of [chain.alias, ...chain.ids]) this.#chainOf.delete(id);
  }
}

const BLANK = {
  alias: '',
  by: Infinity,
  cancelledBy: Infinity,
  notFoundAt: Infinity,
  sends: 1,
  type: 0,
  force: 0,
  price: 0,
  isTrigger: false,
  isOther: false,
  isNamed: false,
} as const;

function freshParts(): Pick<Chain, 'records' | 'notPending' | 'notEnded' | 'triggers'> {
  return { records: new Map(), notPending: new Absences(), notEnded: new Absences(), triggers: [] };
}

function guard({ triggers }: Chain, { stopLoss, takeProfit }: Command): void {
  if (stopLoss > 0 || takeProfit > 0) triggers.push({ stopLoss, takeProfit });
}

/** The order as the fee rates see it. */
function paidBy({ type, force }: Chain, { size, fee, price }: OrderReport): Order {
  return { type, force, size, fee, price } as unknown as Order;
}
