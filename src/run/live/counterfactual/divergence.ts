/**
 * Explains the difference between the profit of a session and that of a backtest on what its polls saw. The backtest is run again and again; each
 * run takes one more thing from the recording, and the change of the profit is the amount of that cause. Amounts are integers (10⁻⁸) and
 * add up to the difference exactly.
 * size: one explanation, whole and by parts of a session
 */
import { directionOf, MAKER, SELL } from '../../../domain/codes.ts';
import { makesOrder } from '../../../domain/orders/command-traits.ts';
import type { Command } from '../../../domain/orders/command.ts';
import { feeOf, formatMoney, type Instrument } from '../../../domain/instrument.ts';
import { parseScaled } from '../../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../../domain/amounts/units.ts';
import type { BotConfig } from '../../../config/model.ts';
import { defaultConfig } from '../../../config/defaults.ts';
import { CAUSES, type CauseName } from './causes.ts';
import { netOf, netUpTo, runAgain, type Outcome, type Part, type PlainFill, type Taken } from './counterfactual.ts';
import { evidenceOf } from './evidence.ts';
import type { MarketTape } from '../facts/market-rows.ts';
import { damageOf, readSessions, type LiveSessions } from '../facts/read-sessions.ts';
import { sessionReport } from '../session-report.ts';
import { eachOf, subjectOf, type Subject } from './session-subject.ts';

export interface Cause {
  readonly cause: CauseName;
  /** What it changed, in the quote coin. */
  readonly amount: string;
  /** What the recording shows of this cause. */
  readonly evidence: string;
}

/** One run of the ladder. */
export interface Rung {
  /** The last cause that it has; "backtest" for the first, "live" for the session itself. */
  readonly upTo: CauseName | 'backtest' | 'live';
  readonly net: string;
  readonly fills: number;
  readonly orders: number;
  /** Orders that are the same as live: number, side, type, price and size. */
  readonly same: number;
}

export interface SessionDivergence {
  readonly session: string;
  readonly from: number;
  readonly to: number;
  readonly backtest: string;
  readonly live: string;
  readonly causes: readonly Cause[];
  readonly rungs: readonly Rung[];
}

export interface Divergence {
  readonly live: string;
  readonly backtest: string;
  readonly difference: string;
  /** In the order of their size. */
  readonly causes: readonly Cause[];
  /** The difference less all causes. */
  readonly residual: string;
  readonly sessions: readonly SessionDivergence[];
  /** What of the sessions is missing, in sentences. */
  readonly notes: readonly string[];
}

/** What a part of a session, from `from` to `to`, earned. Money is in 10⁻⁸. */
export interface SessionSlice {
  readonly from: number;
  readonly to: number;
  readonly backtest: number;
  readonly live: number;
  /** Value of the fills. */
  readonly traded: { readonly backtest: number; readonly live: number };
  readonly sums: ReadonlyMap<CauseName, number>;
}

const NOTHING: Taken = {
  start: false,
  latency: false,
  polls: false,
  refusals: false,
  unknowns: false,
  operator: false,
  process: false,
  external: false,
};

export interface DivergenceOptions {
  /** What the backtest assumes; `own`: what the bot's configuration said. Default: that of a configuration without keys. */
  readonly simulation?: BotConfig['simulation'] | 'own' | undefined;
  /** The market of the same time. Default: what the polls returned. */
  readonly tape?: MarketTape | undefined;
}

/** @throws Failure as readSessions, TapeError */
export async function divergenceOf(path: string, options: DivergenceOptions = {}): Promise<Divergence> {
  const all = await readSessions(path);
  const live = moneyOf(sessionReport(all).pnl.net);
  const sessions: Explained[] = [];
  for await (const one of eachOf(all)) sessions.push(explained(one, options));
  const sums: Sums = new Map();
  for (const one of sessions) for (const [cause, amount] of one.sums) sums.set(cause, (sums.get(cause) ?? 0) + amount);
  const parts = sessions.reduce((sum, one) => sum + moneyOf(one.live), 0);
  if (sessions.length > 1) sums.set('restarts', live - parts);
  const backtest = sessions.reduce((sum, one) => sum + moneyOf(one.backtest), 0);
  const explainedAmount = [...sums.values()].reduce((sum, amount) => sum + amount, 0);
  const evidence = new Map<CauseName, string>();
  for (const { causes } of sessions) {
    for (const one of causes) {
      if (one.evidence !== '')
        evidence.set(one.cause, [evidence.get(one.cause) ?? '', one.evidence].filter((text) => text !== '').join('; '));
    }
  }
  if (sessions.length > 1) evidence.set('restarts', `${sessions.length} sessions`);
  return {
    live: formatMoney(live),
    backtest: formatMoney(backtest),
    difference: formatMoney(live - backtest),
    causes: causesOf(sums, (cause) => evidence.get(cause) ?? ''),
    residual: formatMoney(live - backtest - explainedAmount),
    sessions: sessions.map(({ sums: _sums, notes: _notes, slices: _slices, ...one }) => one),
    notes: [...damageOf(all.parts), ...sessions.flatMap(({ notes }) => notes)],
  };
}

type Sums = Map<CauseName, number>;

function causesOf(sums: Sums, evidence: (cause: CauseName) => string): Cause[] {
  return [...sums]
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
    .map(([cause, amount]) => ({ cause, amount: formatMoney(amount), evidence: evidence(cause) }));
}

export interface Explained extends SessionDivergence {
  readonly sums: Sums;
  readonly notes: readonly string[];
  readonly slices: readonly SessionSlice[];
}

/** One session, and its parts between the cuts, which are times within it. */
export function explained(live: LiveSessions, { simulation, tape }: DivergenceOptions, cuts: readonly number[] = []): Explained {
  const [part] = live.parts;
  const { folder, head } = part!;
  const read = subjectOf(live, tape);
  const { facts, recording, notes } = read;
  const subject: Subject = {
    ...read,
    config: simulation === 'own' ? read.config : { ...read.config, simulation: simulation ?? defaultConfig().simulation },
  };
  const given = recording.commands.map(({ command }) => command).filter(({ kind }) => makesOrder(kind));
  const rungs: Rung[] = [];
  const climbed = (upTo: Rung['upTo'], { commands, fills, net }: Pick<Outcome, 'commands' | 'fills' | 'net'>): void => {
    const orders = commands.filter(({ kind }) => makesOrder(kind));
    rungs.push({ upTo, net: formatMoney(net), fills: fills.length, orders: orders.length, same: sameOf(orders, given) });
  };

  let taken = NOTHING;
  let last = runAgain(subject, taken, cuts);
  const first = last;
  climbed('backtest', first);
  const sums: Sums = new Map();
  const evidence = new Map<CauseName, string>();
  const climbs: [CauseName, Outcome, Outcome][] = [];
  for (const [cause, { takes }] of Object.entries(CAUSES) as [CauseName, { takes: keyof Taken | null }][]) {
    if (takes === null) continue;
    const seen = evidenceOf(cause, subject);
    if (seen === null) continue;
    taken = { ...taken, [takes]: true };
    const next = runAgain(subject, taken, cuts);
    climbs.push([cause, last, next]);
    sums.set(cause, next.net - last.net);
    evidence.set(cause, seen);
    climbed(cause, next);
    last = next;
  }

  const made: PlainFill[] = facts.fills;
  const net = netOf(made, facts.funding, facts);
  const { instruments } = head;
  const funding = facts.funding - last.funding;
  const fees = overcharged(made, instruments) - overcharged(last.fills, instruments);
  const { amount: prices, orders } = dearer(last.fills, made, instruments);
  sums.set('funding', funding);
  sums.set('fees', fees);
  sums.set('prices', prices);
  sums.set('fills', net - last.net - funding - fees - prices);
  evidence.set('prices', `${orders} orders with the same fills`);
  evidence.set('fills', `${made.length} fills live, ${last.fills.length} in the last run`);
  const commands = recording.commands.map(({ command }) => command);
  climbed('live', { commands, fills: made, net });
  return {
    session: folder,
    from: live.startedAt,
    to: live.endedAt,
    backtest: formatMoney(first.net),
    live: formatMoney(net),
    causes: causesOf(sums, (cause) => evidence.get(cause) ?? ''),
    rungs,
    sums,
    notes: [...notes, ...first.waiting.map(neverStarted)],
    slices: slicesOf({ live, subject, cuts, made, first, last, climbs }),
  };
}

function neverStarted({ strategy, had }: Outcome['waiting'][number]): string {
  return `${strategy} never started in the backtest: at the end of the session it was still warming up, with ${had}.`;
}

interface Runs {
  readonly live: LiveSessions;
  readonly subject: Subject;
  readonly cuts: readonly number[];
  readonly made: readonly PlainFill[];
  readonly first: Outcome;
  readonly last: Outcome;
  readonly climbs: readonly (readonly [CauseName, Outcome, Outcome])[];
}

/** The amounts of each part: what they are at its end, less what they are at its start. The amounts of all parts add up to those of the session. */
function slicesOf({ live, subject, cuts, made, first, last, climbs }: Runs): SessionSlice[] {
  const { facts } = subject;
  const { instruments } = facts;
  const ends = [...cuts, Infinity];
  const paidBy = (time: number): number => facts.payments.reduce((sum, { at, amount }) => (at < time ? sum + amount : sum), 0);
  const partsOf = ({ upTo, net, funding }: Pick<Outcome, 'upTo' | 'net' | 'funding'>): readonly Part[] => [...upTo, { net, funding }];
  const livePart = (cut: number): Part => ({ net: netUpTo(cut, made, paidBy(cut), facts), funding: paidBy(cut) });
  const own = partsOf({ upTo: cuts.map(livePart), net: netOf(made, facts.funding, facts), funding: facts.funding });
  const gained = (parts: readonly Part[], k: number, of: keyof Part): number => parts[k]![of] - (parts[k - 1]?.[of] ?? 0);
  return ends.map((end, k) => {
    const from = cuts[k - 1] ?? live.startedAt;
    const within = (fills: readonly PlainFill[]): PlainFill[] => fills.filter(({ at }) => (k === 0 || at >= from) && at < end);
    const sums: Sums = new Map(
      climbs.map(([cause, before, after]) => [cause, gained(partsOf(after), k, 'net') - gained(partsOf(before), k, 'net')]),
    );
    const [liveFills, lastFills] = [within(made), within(last.fills)];
    const funding = gained(own, k, 'funding') - gained(partsOf(last), k, 'funding');
    const fees = overcharged(liveFills, instruments) - overcharged(lastFills, instruments);
    const prices = dearer(lastFills, liveFills, instruments).amount;
    sums.set('funding', funding);
    sums.set('fees', fees);
    sums.set('prices', prices);
    sums.set('fills', gained(own, k, 'net') - gained(partsOf(last), k, 'net') - funding - fees - prices);
    const traded = { backtest: valueOf(within(first.fills), instruments), live: valueOf(liveFills, instruments) };
    return { from, to: Math.min(end, live.endedAt), backtest: gained(partsOf(first), k, 'net'), live: gained(own, k, 'net'), traded, sums };
  });
}

function valueOf(fills: readonly PlainFill[], instruments: readonly Instrument[]): number {
  return fills.reduce((sum, { instrument, price, lots }) => sum + price * lots * instruments[instrument]!.unitValue, 0);
}

/** Orders of a run that were given live under the same number. */
function sameOf(orders: readonly Command[], live: readonly Command[]): number {
  const bySeq = new Map(live.map((one) => [one.seq, one]));
  const keys = ['kind', 'instrument', 'side', 'effect', 'type', 'price', 'size', 'target'] as const;
  return orders.filter((one) => {
    const other = bySeq.get(one.seq);
    return other !== undefined && keys.every((key) => one[key] === other[key]);
  }).length;
}

/** What the rates of the instruments ask for these fills, less what was paid. */
function overcharged(fills: readonly PlainFill[], instruments: readonly Instrument[]): number {
  return fills.reduce((sum, { instrument, price, lots, fee, liquidity }) => {
    const { makerFeeRate, takerFeeRate, unitValue } = instruments[instrument]!;
    return sum + feeOf(price * lots * unitValue, liquidity === MAKER ? makerFeeRate : takerFeeRate) - fee;
  }, 0);
}

/** Orders that filled with the same lots in both runs: what the second run got more for them, or paid less. */
function dearer(
  before: readonly PlainFill[],
  after: readonly PlainFill[],
  instruments: readonly Instrument[],
): { amount: number; orders: number } {
  const [then, now] = [byOrder(before, instruments), byOrder(after, instruments)];
  let amount = 0;
  let orders = 0;
  for (const [seq, one] of now) {
    const other = then.get(seq);
    if (other === undefined || other.key !== one.key || other.lots !== one.lots) continue;
    amount += one.isSell ? one.value - other.value : other.value - one.value;
    orders++;
  }
  return { amount, orders };
}

interface Filled {
  readonly key: string;
  readonly isSell: boolean;
  lots: number;
  value: number;
}

function byOrder(fills: readonly PlainFill[], instruments: readonly Instrument[]): Map<number, Filled> {
  const orders = new Map<number, Filled>();
  for (const { seq, instrument, side, effect, price, lots } of fills) {
    if (seq <= 0) continue;
    const one = orders.get(seq) ?? {
      key: `${instrument} ${side} ${effect}`,
      isSell: directionOf(side, effect) === SELL,
      lots: 0,
      value: 0,
    };
    orders.set(seq, one);
    one.lots += lots;
    one.value += price * lots * instruments[instrument]!.unitValue;
  }
  return orders;
}

function moneyOf(text: string): number {
  return parseScaled(text, MONEY_DECIMALS);
}
