/**
 * Listens to what a bot sends and hears in a simulation, and solves it beside the bot: what every order may have filled by now.
 * Chains of modified orders count as one order.
 */
import { MODIFY, OPEN as OPENS, PLACE } from '../../src/domain/codes.ts';
import type { Command } from '../../src/domain/command.ts';
import type { OrderReport } from '../../src/domain/report.ts';
import type { Answer, Query } from '../../src/ports/venue.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { FeeRates } from '../../src/engine/state/fee-rates.ts';
import type { Order } from '../../src/engine/state/order.ts';
import { CLOSE, OPEN, type Fact, type Flat, type LegFacts, type OrderRecord, type PositionRecord } from './facts.ts';
import type { Solution } from './solve-leg.ts';

/** Reads of a position that are kept, at most. */
const KEPT_READS = 6;
/** Later than any time of a venue. */
const NEVER = 1e15;

interface Chain {
  readonly ids: string[];
  readonly effect: typeof OPEN | typeof CLOSE;
  size: number;
  from: number;
  by: number;
  /** How often its bytes left. */
  sends: number;
  /** Newest record of each id, and the newest list without each. */
  readonly records: Map<string, { report: OrderReport; answered: number }>;
  /** Type and time in force, for the fee. */
  readonly type: number;
  readonly force: number;
  notPending: number;
  notEnded: number;
}

class LegShadow {
  chains: Chain[] = [];
  reads: (PositionRecord | Flat)[] = [];
  start = 0;
  begun = -Infinity;
}

export class Shadow {
  readonly legs: LegShadow[];
  readonly #lag: number;
  readonly #instruments: readonly Instrument[];
  readonly #rates: readonly FeeRates[];
  readonly #chainOf = new Map<string, { chain: Chain; leg: LegShadow }>();

  constructor(instruments: readonly Instrument[], lag: number) {
    this.#instruments = instruments;
    this.#rates = instruments.map((instrument) => new FeeRates(instrument));
    const legs = 2 * instruments.length;
    this.legs = Array.from({ length: legs }, () => new LegShadow());
    this.#lag = lag;
  }

  /** Bytes of a command leave for the venue at `now`. `target`: id of the order that a modify changes. */
  sent(command: Command, id: string, target: string, now: number): void {
    if (command.kind === PLACE) {
      const leg = this.legs[2 * command.instrument + command.side]!;
      const known = this.#chainOf.get(id);
      if (known !== undefined) {
        known.chain.sends++;
        return;
      }
      const chain: Chain = {
        ids: [id], effect: command.effect === OPENS ? OPEN : CLOSE, size: command.size, from: now, by: Infinity, sends: 1, records: new Map(), notPending: -Infinity, notEnded: -Infinity, type: command.type, force: command.force,
      }; // prettier-ignore
      leg.chains.push(chain);
      this.#chainOf.set(id, { chain, leg });
    } else if (command.kind === MODIFY) {
      const known = this.#chainOf.get(target);
      if (known === undefined || this.#chainOf.has(id)) return;
      known.chain.ids.push(id);
      known.chain.size = Math.max(known.chain.size, command.size);
      this.#chainOf.set(id, known);
    }
  }

  /** The venue accepted the order by `now`. */
  accepted(id: string, now: number): void {
    const known = this.#chainOf.get(id);
    if (known !== undefined && known.chain.ids[0] === id) known.chain.by = Math.min(known.chain.by, now);
  }

  /** The venue refused the order, or never had it: it was sent once, so it never comes to be. */
  refused(id: string, why: string): void {
    const known = this.#chainOf.get(id);
    if (known === undefined || known.chain.ids[0] !== id || known.chain.sends > 1 || why === 'duplicate-client-id') return;
    known.chain.from = NEVER;
  }

  /** An answer arrived. Returns the legs that it says something about. */
  heard(query: Query, answer: Answer, answered: number, idOf: (clientId: string) => string): LegShadow[] {
    const touched = new Set<LegShadow>();
    if (answer.kind === 'positions') {
      const isAsked = (leg: number): boolean => query.kind === 'positions' && (query.instrument < 0 || query.instrument === leg >> 1);
      for (const [at, leg] of this.legs.entries()) {
        if (!isAsked(at)) continue;
        const report = answer.positions.find((one) => 2 * one.instrument + one.side === at);
        touched.add(leg);
        if (report === undefined) this.#read(leg, { kind: 'flat', answered });
        else
          this.#read(leg, {
            kind: 'position', answered, total: report.total, createdAt: report.createdAt, updatedAt: report.updatedAt, locked: -1, opening: -1,
          }); // prettier-ignore
      }
    }
    if (answer.kind === 'pending' || answer.kind === 'history') {
      const listed = new Set<Chain>();
      for (const report of answer.orders) {
        const id = idOf(report.clientId);
        const known = this.#chainOf.get(id);
        if (known === undefined) continue;
        if (answer.kind === 'pending') listed.add(known.chain);
        const before = known.chain.records.get(id);
        if (before !== undefined && isNewer(before, { report, answered })) continue;
        known.chain.records.set(id, { report, answered });
        if (report.status === 'filled' && known.chain.ids.length === 1)
          this.#rates[report.instrument]!.learn(this.#paid(known.chain, report), this.#average(report), report.fee);
        touched.add(known.leg);
      }
      if (answer.kind === 'history' && query.kind === 'history' && answer.rest === undefined && query.before === undefined) {
        const shown = new Set(answer.orders.map((report) => idOf(report.clientId)));
        for (const [at, leg] of this.legs.entries()) {
          if (query.instrument >= 0 && query.instrument !== at >> 1) continue;
          for (const chain of leg.chains) {
            const isAsked = query.clientId === '' ? query.since <= chain.from : query.clientId === chain.ids[0];
            if (isAsked && !shown.has(chain.ids[0]!)) chain.notEnded = Math.max(chain.notEnded, answered);
          }
        }
      }
      if (answer.kind === 'pending' && query.kind === 'pending') {
        for (const [at, leg] of this.legs.entries()) {
          if (query.instrument >= 0 && query.instrument !== at >> 1) continue;
          for (const chain of leg.chains) if (!listed.has(chain)) chain.notPending = Math.max(chain.notPending, answered);
        }
      }
    }
    return [...touched].filter((leg) => leg.chains.length > 0);
  }

  /** The order as the fee rates see it. */
  #paid({ type, force }: Chain, { size, fee, price }: OrderReport): Order {
    return { type, force, size, fee, price } as unknown as Order;
  }

  #average({ averagePrice, instrument }: OrderReport): number {
    const { priceScale, tickStep } = this.#instruments[instrument]!;
    return (averagePrice * priceScale) / tickStep;
  }

  /** A newest read takes the place of one with the same time of change. */
  #read(leg: LegShadow, read: PositionRecord | Flat): void {
    const last = leg.reads.at(-1);
    const isSame = last?.kind === 'position' && read.kind === 'position' && last.total === read.total && last.updatedAt === read.updatedAt;
    if (isSame) leg.reads.pop();
    leg.reads.push(read);
    if (leg.reads.length > KEPT_READS) leg.reads.shift();
  }

  /** Everything that is known of the leg, for the solver. */
  facts(leg: LegShadow, now: number): LegFacts {
    const facts: Fact[] = [...leg.reads];
    for (const [order, chain] of leg.chains.entries()) {
      for (const [id, { report, answered }] of chain.records) facts.push(this.#recordOf(chain, order, id, report, answered));
      if (chain.ids.length > 1) continue;
      if (chain.notPending > -Infinity) facts.push({ kind: 'not-pending', answered: chain.notPending, order });
      if (chain.notEnded > -Infinity) facts.push({ kind: 'not-ended', answered: chain.notEnded, order });
    }
    const orders = leg.chains.map(({ effect, size, from, by }) => ({ effect, size, from, by }));
    return { orders, facts, start: leg.start, begun: leg.begun, lag: this.#lag, now };
  }

  #recordOf(chain: Chain, order: number, id: string, report: OrderReport, answered: number): OrderRecord {
    const { size, updatedAt } = report;
    const isTraded = report.averagePrice > 0;
    const ended = report.status === 'filled' ? 'filled' : id === chain.ids.at(-1) ? 'cancelled' : 'replaced';
    const status = isEnded(report) ? ended : 'new';
    const createdAt = id === chain.ids[0] ? report.createdAt : -Infinity;
    const record = { kind: 'order', answered, order, status, isTraded, createdAt, updatedAt, size } as const;
    if (status === 'filled' || !isTraded) return record;
    return { ...record, ...this.#rates[report.instrument]!.range(this.#paid(chain, report), this.#average(report), report.fee) };
  }

  /** Orders that can fill no more, and did all they did before every kept read, become a part of the start. */
  fold(leg: LegShadow, solution: Solution): void {
    const oldest = Math.min(
      ...leg.reads.map((read) => (read.kind === 'flat' ? read.answered - this.#lag : Math.max(read.updatedAt, read.answered - this.#lag))),
    );
    leg.chains = leg.chains.filter((chain, k) => {
      const { lo, hi } = solution.fills[k]!;
      const last = chain.records.get(chain.ids.at(-1)!);
      if (chain.from === NEVER) return false;
      if (last === undefined || !isEnded(last.report) || lo !== hi) return true;
      if (lo > 0 && last.report.updatedAt >= oldest) return true;
      leg.start += chain.effect * lo;
      if (lo > 0) leg.begun = Math.max(leg.begun, last.report.updatedAt);
      for (const id of chain.ids) this.#chainOf.delete(id);
      return false;
    });
  }
}

function isEnded({ status }: OrderReport): boolean {
  return status !== 'open' && status !== 'partial';
}

function isNewer(one: { report: OrderReport; answered: number }, other: { report: OrderReport; answered: number }): boolean {
  if (isEnded(one.report) !== isEnded(other.report)) return isEnded(one.report);
  if (one.report.updatedAt !== other.report.updatedAt) return one.report.updatedAt > other.report.updatedAt;
  return one.answered > other.answered;
}
