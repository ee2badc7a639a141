/** A backtest of one session's market that takes some things from the recording and the rest from the simulation. */
import { CLOSE, LONG, MARKET, OPEN, PLACE, SHORT } from '../../../domain/codes.ts';
import { emptyCommand, type Command } from '../../../domain/orders/command.ts';
import type { KernelSnapshot } from '../../../engine/recovery/registry.ts';
import type { FillLog } from '../../../report/fills/fill-log.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import { assembleBacktest } from '../../backtest/assemble-backtest.ts';
import { eventOf } from '../../session/entries.ts';
import { MANY_LOTS } from '../../setup/sim-terms.ts';
import { LegBooks } from '../facts/leg-books.ts';
import { RecordedPort, type Recorded } from './recorded-port.ts';
import type { Recording } from './recording.ts';
import type { SessionFacts } from '../facts/session-facts.ts';
import { sessionTape } from '../facts/session-market.ts';
import type { Subject } from './session-subject.ts';
import { startHistory } from './start-history.ts';

/** What a run takes from the recording. */
export interface Taken extends Recorded {
  /** Money, leverage, positions and the state of the strategies at the start. */
  readonly start: boolean;
  readonly operator: boolean;
  /** Halts by clocks and journal. */
  readonly process: boolean;
  /** Orders of somebody else. */
  readonly external: boolean;
}

/** A fill for a comparison. Money is in 10⁻⁸. */
export interface PlainFill {
  readonly at: number;
  readonly seq: number;
  readonly instrument: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly lots: number;
  readonly fee: number;
  readonly realised: number;
  readonly liquidity: number;
}

export interface Outcome {
  readonly fills: readonly PlainFill[];
  readonly commands: readonly Command[];
  readonly funding: number;
  /** Profit at the prices of the last quotes of the session. */
  readonly net: number;
  /** Profit up to each of the times that were asked for, at the prices then, and the funding in it. */
  readonly upTo: readonly Part[];
  /** Strategies that waited for bars to the end, and what each had: "14 of 60 1h bars of BTCUSDT". */
  readonly waiting: readonly { readonly strategy: string; readonly had: string }[];
}

/** Money of a run up to a time. */
export interface Part {
  readonly net: number;
  readonly funding: number;
}

/** In 10⁻⁸. */
const SEED_MONEY = 10_000_000 * ONE;

/** `cuts`: times within the session, in order. */
export function runAgain(subject: Subject, taken: Taken, cuts: readonly number[] = []): Outcome {
  const { config, facts, folder, market, recording, strategies, endedAt } = subject;
  const { instruments } = recording.head;
  const [from, to] = [recording.startedAt, endedAt];
  const inTime = ({ venueTime }: { readonly venueTime: number }): boolean => venueTime <= to;
  const tape = sessionTape({ folder, instruments, quotes: market.quotes.filter(inTime), trades: market.trades.filter(inTime), from, to });
  const commands: Command[] = [];
  const ports: RecordedPort[] = [];
  const { simulation } = config;
  const constant = { ...simulation, upMs: 0, downMs: 0, latency: { ...simulation.latency, model: 'constant' as const } };
  const backtest = assembleBacktest({
    options: {
      strategies: recording.head.strategies,
      tape: folder,
      // What it would ask for need not be what the session asked for.
      config: { ...config, historyPages: 0, simulation: taken.latency ? constant : simulation },
      everyTick: false,
      speed: 1,
      seed: config.seed,
      botFrom: from,
    },
    market: { instruments, guessed: [], adjusted: [] },
    tape,
    strategies,
    extras: {
      hooks: {
        port: (port, clock) => {
          const recorded = new RecordedPort({ port, clock, recording, uses: taken, sent: (command) => commands.push(command) });
          ports.push(recorded);
          return recorded;
        },
      },
    },
  });
  const { kernel, sim, fills } = backtest;
  if (taken.start) {
    startAs(sim, facts, recording, from);
    if (recording.head.snapshot !== null) kernel.restore(withoutOrders(recording.head.snapshot));
  }
  /** Gives the bars that the session had read at `since` or later: when it had, if the run takes the polls, else now. */
  const giveHistory = (since: number): void => {
    for (const { at, instrument, timeframe, rows, until } of startHistory(recording, kernel.barsWanted, config.historyPages)) {
      const give = (): void => kernel.inbox.history(instrument, timeframe, rows, until);
      if (at < since) continue;
      if (taken.polls) ports[0]!.at(at, give);
      else give();
    }
  };
  giveHistory(from);
  const scripted = [...(taken.operator ? recording.operations : []), ...(taken.process ? recording.process : [])];
  for (const entry of scripted) {
    const at = Math.max(entry.at, from);
    ports[0]!.at(at, () => {
      const { length } = kernel.barsWanted;
      kernel.step(eventOf({ ...entry, at }, null));
      if (kernel.barsWanted.length > length) giveHistory(at);
    });
  }
  for (const { what, venueTime, instrument, side, effect, lots: size } of taken.external ? facts.fills : []) {
    if (what !== 'external') continue;
    const at = Math.max(venueTime, from);
    const order = { ...emptyCommand(), kind: PLACE, instrument, side, effect, type: MARKET, size, time: at };
    // Refused if the run holds no such position.
    ports[0]!.at(at, () => sim.place(0, order, 0, at));
  }
  // Orders that are on their way when the bot stops still arrive.
  if (recording.stoppedAt > 0) ports[0]!.at(recording.stoppedAt, () => kernel.inbox.stop());
  const [seeded, funded] = [fills.length, sim.totals(0).funding];
  const paid: number[] = [];
  for (const [k, cut] of cuts.entries()) ports[0]!.at(cut, () => void (paid[k] = sim.totals(0).funding - funded));
  backtest.run();
  const made = plainFills(fills, seeded);
  const funding = sim.totals(0).funding - funded;
  const upTo = cuts.map((cut, k) => ({ net: netUpTo(cut, made, paid[k] ?? funding, facts, taken.start), funding: paid[k] ?? funding }));
  const waiting = kernel.status().strategies.flatMap(({ name: strategy, warmingUp: had }) => (had === '' ? [] : [{ strategy, had }]));
  return { fills: made, commands, funding, net: netOf(made, funding, facts, taken.start), upTo, waiting };
}

/** Profit of the fills up to a time at the prices of the last quotes by then; `funding` is that of the same time. */
export function netUpTo(time: number, fills: readonly PlainFill[], funding: number, facts: SessionFacts, hasStart = true): number {
  const made = fills.filter(({ at }) => at < time);
  return profitOf(made, funding, facts, { hasStart, midOf: (k) => facts.midAt(k, time) });
}

/** Profit of fills at the prices of the session's last quotes. `hasStart`: they came on top of what was open at its start. */
export function netOf(fills: readonly PlainFill[], funding: number, facts: SessionFacts, hasStart = true): number {
  return profitOf(fills, funding, facts, { hasStart, midOf: (k) => facts.lastMid(k) });
}

function profitOf(
  fills: readonly PlainFill[],
  funding: number,
  facts: SessionFacts,
  { hasStart, midOf }: { readonly hasStart: boolean; readonly midOf: (instrument: number) => number },
): number {
  const books = hasStart ? facts.books() : new LegBooks(facts.instruments);
  let net = funding;
  for (const { instrument, side, effect, price, lots, fee, realised } of fills) {
    books.take(instrument, side, effect === CLOSE, price, lots);
    net += realised - fee;
  }
  return net + books.at(midOf).unrealised - (hasStart ? facts.startValue() : 0);
}

function plainFills(log: FillLog, from: number): PlainFill[] {
  const fills: PlainFill[] = [];
  log.each(({ time: at, order: seq, instrument, side, effect, price, size: lots, fee, realised, liquidity }) =>
    fills.push({ at, seq, instrument, side, effect, price, lots, fee, realised, liquidity }),
  );
  return fills.slice(from);
}

/** Gives the simulated account the leverage, positions and money that the session began with. */
function startAs(sim: VenueSim, facts: SessionFacts, { head }: Recording, time: number): void {
  const coin = head.instruments.find(({ product }) => product === 'futures')?.quoteCoin ?? 'USDT';
  for (const { instrument, longLeverage, shortLeverage, marginMode } of facts.accounts.values()) {
    sim.setMarginMode(0, instrument, marginMode, time);
    sim.setLeverage(0, instrument, LONG, longLeverage, time);
    sim.setLeverage(0, instrument, SHORT, shortLeverage, time);
  }
  const [equity] = facts.equity;
  if (equity === undefined) return;
  // Room for the positions, before the account has what it should have.
  sim.deposit(0, false, coin, SEED_MONEY);
  for (const [leg, { lots, price }] of facts.startLegs) {
    const [instrument, side] = [leg >> 1, leg & 1];
    if (price === 0) continue;
    sim.quote(instrument, price, MANY_LOTS, price, MANY_LOTS, time);
    sim.place(0, { ...emptyCommand(), kind: PLACE, instrument, side, effect: OPEN, type: MARKET, size: lots, time }, 0, time);
    const mid = facts.firstMid(instrument);
    if (mid > 0) sim.quote(instrument, Math.floor(mid), MANY_LOTS, Math.ceil(mid), MANY_LOTS, time);
  }
  sim.deposit(0, false, coin, equity.equity - sim.equity(0));
}

/** Open orders are not taken over: they are found again as orders of nobody. */
function withoutOrders(snapshot: KernelSnapshot): KernelSnapshot {
  return { ...snapshot, orders: [], brackets: [], lostTriggers: [] };
}
