/** Reports that a bracket of an own order closed lots at the venue: to journal, log, limits and strategies. Finds it for a pushed fill. */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE, SIDES } from '../../domain/codes.ts';
import { formatLots, formatMoneyShort, formatTicks } from '../../domain/instrument.ts';
import type { GuardCounter, LossCounter } from '../state/account/limit-counters.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Owner } from '../state/records/owner.ts';
import type { Brackets } from '../state/records/brackets.ts';
import type { StrategyEvents } from '../state/events/strategy-events.ts';
import { type Bracket, type BracketKind, firedKind } from '../state/records/brackets.ts';
import type { External } from './external.ts';
import type { Leg } from '../state/records/leg.ts';

/** The shared state that this file uses. */
interface FiredBracketsCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly nobody: Owner;
  readonly owners: readonly Owner[];
  readonly brackets: Brackets;
  readonly strategyEvents: StrategyEvents;
}

/** Factor of the slack of a bracket's price where fills are pushed. It may be wide: no other party trades there. */
const PUSHED = 4;

/** Data of a bracket that fired: price in ticks, money NaN if the venue does not show it. */
export interface Exit {
  readonly lots: number;
  readonly price: number;
  /** Latest time by our clock at which it closed the lots. */
  readonly at: number;
  readonly realised: number;
  readonly fee: number;
  readonly venueId: string;
}

interface FiredBracketsDeps {
  readonly core: FiredBracketsCore;
  readonly losses: LossCounter;
  readonly guards: GuardCounter;
  readonly external: External;
  /** Trades that no strategy works on. */
  readonly leftTrades: LeftExits;
}

interface LeftExits {
  exited(strategy: string, instrument: number, seq: number, why: string, lots: number, price: number): void;
}

export class FiredBrackets {
  readonly #core: FiredBracketsCore;
  readonly #losses: LossCounter;
  readonly #guards: GuardCounter;
  readonly #external: External;
  readonly #leftTrades: LeftExits;

  constructor({ core, losses, guards, external, leftTrades }: FiredBracketsDeps) {
    this.#core = core;
    this.#losses = losses;
    this.#guards = guards;
    this.#external = external;
    this.#leftTrades = leftTrades;
  }

  /** A bracket of an own order closed lots of the leg. Called after the leg has been updated. */
  report(leg: Leg, bracket: Bracket, kind: BracketKind, exit: Exit): void {
    const core = this.#core;
    const { lots, price, at, realised, fee, venueId } = exit;
    const instrument = core.instruments[bracket.instrument]!;
    const { strategy, reason, seq } = bracket;
    assert(lots > 0, 'a bracket that fired closed lots above zero', lots, 'order', seq);
    assert(2 * bracket.instrument + bracket.side === leg.index, 'a bracket closes lots of its own leg', leg.index, 'order', seq);
    const owner = core.owners.find(({ name }) => name === strategy) ?? core.nobody;
    this.#losses.closedExternally(leg, lots, price, realised - Math.abs(fee), owner);
    core.brackets.fired(bracket, lots);
    const isLimited = (kind === 'stop-loss' ? bracket.stopLossLimit : bracket.takeProfitLimit) > 0;
    if (Number.isNaN(realised)) this.#external.bookUnknownResult(leg, lots);
    const trigger = kind === 'stop-loss' ? bracket.stopLoss : bracket.takeProfit;
    if (this.#guards.isOn) {
      const bracketFired = { seq, isStop: kind === 'stop-loss', trigger: isLimited ? 0 : trigger, price };
      this.#guards.bracketFired(core.contexts[bracket.instrument]!, bracket.side, owner, bracketFired);
    }
    const money = Number.isNaN(realised) ? {} : { profit: formatMoneyShort(realised), fee: formatMoneyShort(fee) };
    const facts = {
      strategy,
      symbol: instrument.symbol,
      side: SIDES[bracket.side],
      what: kind,
      trigger: formatTicks(trigger, instrument),
      size: formatLots(lots, instrument),
      price: price > 0 ? formatTicks(Math.round(price), instrument) : null,
      ...money,
      position: formatLots(leg.total, instrument),
      reason,
    };
    core.journal.fired(seq, kind, lots, Math.round(price), venueId, core.now, facts);
    core.log.info('exit', { seq, ...facts });
    core.strategyEvents.exit(leg, { lots: -lots, cause: kind, price, at, profit: realised, seq, owner });
    this.#leftTrades.exited(strategy, bracket.instrument, seq, kind, lots, price);
  }

  /** The venue pushed a fill without an order: a bracket or a liquidation. The leg has been updated. */
  pushed(leg: Leg, effect: number, lots: number, price: number): void {
    if (effect !== CLOSE) return this.#core.strategyEvents.leg(leg, lots, false);
    const bracket = this.#core.brackets.of(leg.index).find((one) => firedKind(one, price, 0, PUSHED) !== null);
    const limited = this.#core.brackets.of(leg.index).find((one) => firedKind(one, price, price) !== null);
    const exit = bracket ?? limited;
    if (exit === undefined) {
      const order = { venueId: '', text: '', price, at: this.#core.now, realised: Number.NaN, fee: Number.NaN };
      return this.#external.position(leg, -lots, 'liquidation', order);
    }
    const kind = firedKind(exit, price, 0, PUSHED) ?? firedKind(exit, price, price)!;
    this.report(leg, exit, kind, {
      lots,
      price,
      at: this.#core.now,
      realised: Number.NaN,
      fee: Number.NaN,
      venueId: '',
    });
    if (leg.total === 0) this.#core.brackets.flat(leg.index);
  }
}
