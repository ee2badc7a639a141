/**
 * The limit orders of a session again in the simulator with another fill model: the same orders, at the moments at which they reached the venue,
 * on the market of the session. No strategy takes part, so all models get the same orders.
 */
import { LIMIT, LONG, MAKER, MARKET, MODIFY, OPEN, PLACE, SHORT } from '../../../domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../domain/orders/command.ts';
import { isCancel } from '../../../domain/orders/command-traits.ts';
import type { FillModelName } from '../../../domain/models/fill.ts';
import { SILENT_INBOX } from '../../../ports/venue-event.ts';
import { VenueSim } from '../../../sim/core/venue-core.ts';
import { SimPort } from '../../../sim/port/port.ts';
import type { LedgerSink } from '../../../sim/state/types.ts';
import { VirtualClock } from '../../backtest/venue/virtual-clock.ts';
import { MANY_LOTS } from '../../setup/sim-terms.ts';
import type { Subject } from './session-subject.ts';
import { Trips } from './recorded-port.ts';

/** A limit order that waited at the venue. */
export interface RestingOrder {
  readonly seq: number;
  readonly at: number;
  readonly lots: number;
  /** Share of the order that filled live. */
  readonly filled: number;
}

/** Money enough that no order is refused for it. */
const MONEY = '80000000';

/** The limit orders of a session that did not take at once, in the order of sending. */
export function restingOrders({ facts, recording }: Subject): RestingOrder[] {
  const lots = new Map<number, number>();
  const takers = new Set<number>();
  for (const fill of facts.fills) {
    lots.set(fill.seq, (lots.get(fill.seq) ?? 0) + fill.lots);
    if (fill.liquidity !== MAKER) takers.add(fill.seq);
  }
  return recording.commands.flatMap(({ command, landedAt, outcome }): RestingOrder[] => {
    const { kind, seq, size, time, type } = command;
    const rests = (kind === PLACE || kind === MODIFY) && type === LIMIT && !takers.has(seq);
    const hasLanded = landedAt > 0 && outcome !== 'rejected';
    return rests && hasLanded && size > 0 ? [{ seq, at: time, lots: size, filled: Math.min(1, (lots.get(seq) ?? 0) / size) }] : [];
  });
}

/** Lots of each order that the model fills, by number. */
export function fillsUnder(subject: Subject, fillModel: FillModelName): ReadonlyMap<number, number> {
  const { facts, market, recording } = subject;
  const { instruments } = recording.head;
  const filled = new Map<number, number>();
  const ignore = (): void => undefined;
  const ledger: LedgerSink = {
    wantsFillsAlone: true,
    order: ignore,
    ended: ignore,
    cash: ignore,
    fill: ({ tag, size }) => void filled.set(tag, (filled.get(tag) ?? 0) + size),
  };
  const accounts = [{ name: 'bot', futures: MONEY, spot: {} }];
  const sim = new VenueSim({ instruments, accounts, fillModel, leverage: 20, historyLimit: 1, keepTrades: 0 }, ledger);
  const clock = new VirtualClock();
  clock.time = recording.startedAt;
  const identity = { bot: recording.head.config.bot, epoch: 0 };
  const port = new SimPort({ sim, account: 0, identity, latency: { upMs: 0, downMs: 0 }, clock, push: false });
  port.connect(SILENT_INBOX, SILENT_INBOX);
  holdBothSides(subject, sim, clock.time);
  for (const { at, run } of momentsOf(sim, port)) {
    while (sim.nextDue <= at) sim.advance(sim.nextDue);
    clock.time = Math.max(clock.time, at);
    run();
    while (port.nextDue <= clock.time) port.run();
  }
  while (sim.nextDue <= subject.endedAt) sim.advance(sim.nextDue);
  filled.delete(0);
  return filled;

  function momentsOf(venue: VenueSim, to: SimPort): { at: number; order: number; run: () => void }[] {
    const trips = new Trips(recording.orderTrips);
    const moments = [
      ...market.quotes.map((one) => ({
        at: one.venueTime,
        order: 0,
        run: () => venue.quote(one.instrument, one.bid, one.bidSize, one.ask, one.askSize, clock.time),
      })),
      ...market.trades.map((one) => ({
        at: one.venueTime,
        order: 1,
        run: () => venue.trade(one.instrument, one.price, one.size, one.aggressor, clock.time, one.id),
      })),
      ...recording.commands
        .filter(({ command, landedAt, outcome }) => landedAt > 0 || (outcome === 'accepted' && isCancel(command.kind)))
        .map(({ command, landedAt }) => ({
          at: landedAt > 0 ? landedAt : command.time + trips.near(command.time).up,
          order: 2,
          run: () => to.execute({ ...command } as Approved<Command>),
        })),
    ];
    return moments.sort((a, b) => a.at - b.at || a.order - b.order);
  }

  /** Positions that every closing order of the session finds, whatever filled before it. */
  function holdBothSides({ recording: { commands } }: Subject, venue: VenueSim, time: number): void {
    for (const { index } of instruments.filter(({ product }) => product === 'futures')) {
      const lots = commands.reduce((sum, { command }) => sum + (command.instrument === index ? command.size : 0), 0);
      const price = Math.round(facts.firstMid(index));
      if (lots === 0 || price === 0) continue;
      venue.quote(index, price, MANY_LOTS, price, MANY_LOTS, time);
      for (const side of [LONG, SHORT]) {
        venue.place(0, { ...emptyCommand(), kind: PLACE, instrument: index, side, effect: OPEN, type: MARKET, size: lots, time }, 0, time);
      }
    }
  }
}
