/**
 * Handles changes of the account that the bot did not make. Each event is logged with figures, shown to strategies and in the status, and
 * then handled by the configured policy of its kind (domain/messages/external.ts).
 */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE, EFFECTS, OPEN, SIDES } from '../../domain/codes.ts';
import {
  EXTERNAL_DEFAULTS,
  EXTERNAL_KINDS,
  type ExternalAction,
  type ExternalFact,
  type ExternalKind,
  type ExternalPolicy,
} from '../../domain/messages/external.ts';
import { formatLots, formatMoneyShort, formatTicks, priceOf } from '../../domain/instrument.ts';
import type { LogFields } from '../../ports/log.ts';
import type { LossCounter } from '../state/account/limit-counters.ts';
import type { Balance } from '../state/account/balance.ts';
import type { Core } from '../state/core.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Halts } from '../state/halts.ts';
import type { Owner } from '../state/records/owner.ts';
import type { StrategyEvents } from '../state/events/strategy-events.ts';
import type { Executor } from '../orders/executor.ts';
import type { RestoredVenue } from '../orders/reads/restored-venue.ts';
import type { HaltScope } from '../state/halts.ts';
import type { Leg } from '../state/records/leg.ts';

/** The shared state that this file uses. */
interface ExternalCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly nobody: Owner;
  readonly strategyEvents: StrategyEvents;
  /** Venue time of the current answer, or our time if answers carry none. */
  readonly venueNow: number;
}

/** What a record shows of an order that the bot did not place. */
export interface OthersOrder {
  readonly venueId: string;
  /** As it is named in the event, or "". */
  readonly text: string;
  /** Average price in ticks, 0 if unknown. */
  readonly price: number;
  /** Latest time by our clock at which it filled. */
  readonly at: number;
  /** Money of the fills that are reported with it. */
  readonly realised: number;
  readonly fee: number;
}

const UNEXPLAINED: ReadonlySet<ExternalKind> = new Set(['position', 'liquidation', 'transfer']);

/** Number of events kept for the status. */
const REMEMBERED = 20;

/** What is known where no record shows the order. */
const NOBODY = { price: 0, at: Infinity, realised: Number.NaN, fee: Number.NaN };

interface ExternalDeps {
  readonly core: ExternalCore;
  readonly executor: Executor;
  readonly losses: LossCounter;
  readonly restoredVenue: RestoredVenue;
  /** Compares own trades with the account balance; null if no order is read. */
  readonly balance: Balance | null;
  /** Policies that differ from the defaults of domain/messages/external.ts. */
  readonly policy: Partial<ExternalPolicy> | undefined;
}

export class External {
  /** The newest events, oldest first. */
  readonly recent: ExternalFact[] = [];
  /** Called after each change of a leg that no own order explains, with what happened in words. */
  readonly onPosition: ((leg: Leg, text: string) => void)[] = [];
  readonly #core: ExternalCore;
  readonly #executor: Executor;
  readonly #losses: LossCounter;
  readonly #restoredVenue: RestoredVenue;
  readonly #balance: Balance | null;
  readonly #policy: ExternalPolicy;

  constructor({ core, executor, losses, restoredVenue, balance, policy }: ExternalDeps) {
    this.#core = core;
    this.#executor = executor;
    this.#losses = losses;
    this.#restoredVenue = restoredVenue;
    this.#balance = balance;
    this.#policy = { ...EXTERNAL_DEFAULTS, ...policy };
  }

  /** A leg changed by `lots`, and no record shows the profit or loss: the balance check allows for its value. */
  bookUnknownResult(leg: Leg, lots: number): void {
    const core = this.#core;
    const price = core.contexts[leg.index >> 1]!.market.reference || leg.entry || 0;
    this.#balance?.book(-Infinity, core.venueNow, 0, Math.abs(lots) * price * core.instruments[leg.index >> 1]!.unitValue);
  }

  /** The configured action for events of this kind. */
  actionOf(kind: ExternalKind): ExternalAction {
    return this.#policy[kind];
  }

  /**
   * Reports a change of a leg by `lots` that no own order explains; local state has been updated. `by`: the order that did it, null if no
   * record shows it. `rest`: lots of the same change that are still to be reported.
   */
  position(leg: Leg, lots: number, kind: 'position' | 'liquidation', by: OthersOrder | null, rest = 0): void {
    const { instruments, journal, now, strategyEvents, nobody } = this.#core;
    assert(lots !== 0, 'a change by others changes the leg', lots, 'leg', leg.index);
    leg.byOthers(lots);
    const instrument = instruments[leg.index >> 1]!;
    const { price, at, realised, fee } = by ?? NOBODY;
    const result = realised - Math.abs(fee);
    if (lots < 0) this.#losses.closedExternally(leg, -lots, 0, result, nobody);
    // What closed their lots may be known already: then they are not in the total.
    const had = Math.max(0, leg.total - rest - lots);
    const before = formatLots(had, instrument);
    const after = formatLots(Math.max(0, had + lots), instrument);
    const change = `${lots < 0 ? '-' : ''}${formatLots(Math.abs(lots), instrument)}`;
    const side = SIDES[leg.index & 1]!;
    const who = kind === 'liquidation' ? 'the venue liquidated it' : 'no order that this bot knows did it';
    const text = `${instrument.symbol} ${side} went from ${before} to ${after}: ${who}${by?.text ? ` (${by.text})` : ''}`;
    if (Number.isNaN(result) || kind === 'liquidation') this.bookUnknownResult(leg, lots);
    const what = kind === 'liquidation' ? 'liquidation' : 'external';
    const facts = {
      symbol: instrument.symbol,
      side,
      effect: EFFECTS[lots < 0 ? CLOSE : OPEN],
      what,
      size: formatLots(Math.abs(lots), instrument),
      price: price > 0 ? formatTicks(Math.round(price), instrument) : null,
      // The average of the leg tells what the lots cost if no record shows their price.
      ...(lots > 0 && leg.shownEntry > 0 ? { entry: priceOf(leg.shownEntry, instrument).toFixed(8) } : {}),
      ...(Number.isNaN(result) ? {} : { profit: formatMoneyShort(realised), fee: formatMoneyShort(fee) }),
      position: after,
    };
    journal.note('external', { ...facts, venueId: by?.venueId ?? '' }, now);
    strategyEvents.changed(leg, lots, what, price, at);
    this.happened(kind, leg.index >> 1, leg.index & 1, text, { before, after, change });
    for (const heard of this.onPosition) heard(leg, text);
  }

  /** Reports the event and applies the policy. `instrument` and `side` are −1 if the event concerns more than one. */
  happened(kind: ExternalKind, instrument: number, side: number, text: string, figures: LogFields = {}): void {
    this.#report(this.#policy[kind], kind, instrument, side, text, figures);
  }

  /** A record shows at last what an order that was reported without one has earned. */
  traced(leg: Leg, { realised, fee }: OthersOrder): void {
    const { instruments, journal, now } = this.#core;
    assert(leg.attributedWithoutRecord !== 0, 'a record is traced to a change that was told without one', leg.index);
    const { symbol } = instruments[leg.index >> 1]!;
    const money = { profit: formatMoneyShort(realised), fee: formatMoneyShort(fee) };
    journal.note('fee', { order: 0, symbol, side: SIDES[leg.index & 1]!, reason: 'external', ...money }, now);
  }

  /** Reports an event of the whole account, without the halt that the policy may ask for. */
  noticed(kind: ExternalKind, text: string, figures: LogFields): void {
    this.#report(this.#policy[kind] === 'ignore' ? 'ignore' : 'adopt', kind, -1, -1, text, figures);
  }

  #report(action: ExternalAction, kind: ExternalKind, instrument: number, side: number, text: string, figures: LogFields): void {
    const core = this.#core;
    assert(text !== '', 'an event of the account is told in words', kind);
    const fact: ExternalFact = { kind, action, instrument, side, text, time: core.now };
    if (this.recent.push(fact) > REMEMBERED) this.recent.shift();
    const symbol = core.instruments[instrument]?.symbol;
    const about = {
      kind,
      action,
      ...(symbol === undefined ? {} : { symbol }),
      ...(side < 0 ? {} : { side: SIDES[side] }),
      text,
      ...figures,
    };
    if (action === 'ignore') core.log.info('external', about);
    else core.log.warn('external', about);
    if (UNEXPLAINED.has(kind)) this.#restoredVenue.suspected();
    if (action === 'halt') this.#halt(kind, instrument, side, text);
    if (action !== 'ignore') core.strategyEvents.external(fact);
  }

  #halt(kind: ExternalKind, instrument: number, side: number, text: string): void {
    const { halts } = this.#core;
    const scope = scopeOf(kind, instrument, side);
    halts.raise({ scope, code: `external-${kind}`, detail: text, by: 'bot' });
    this.#cancelOpens(scope);
  }

  /** Cancels resting opening orders in the halted scope. */
  #cancelOpens(scope: HaltScope): void {
    const { contexts, halts } = this.#core;
    for (const context of contexts) {
      for (const order of context.orders.known()) {
        if (!order.isAlive || order.effect !== OPEN || !halts.covers(scope, context, order.side, order.owner)) continue;
        this.#executor.cancel(order, order.owner, 'opens are halted');
      }
    }
  }
}

/** Scope of the halt for an event of `kind`. */
function scopeOf(kind: ExternalKind, instrument: number, side: number): HaltScope {
  const width = EXTERNAL_KINDS[kind].scope;
  if (width === 'all' || instrument < 0) return { kind: 'bot' };
  return width === 'leg' && side >= 0 ? { kind: 'leg', instrument, side } : { kind: 'symbol', instrument };
}
