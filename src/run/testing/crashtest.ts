/**
 * A strategy against hostile markets and a faulty venue, seed by seed, on virtual time. Engine, limits and venue are those of a backtest with
 * polls. Each seed is run twice, and once on a market that is cut off.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../base/random.ts';
import type { BotConfig } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { StrategyError, type AnyStrategy } from '../../engine/strategy/definition/define.ts';
import type { Market } from '../../engine/intents/market-types.ts';
import type { StrategyHandlers } from '../../engine/strategy/definition/types.ts';
import { instrumentsOf } from '../setup/instruments/instruments.ts';
import { writeCrashMarket } from './crash-market.ts';
import { crashPlanOf, type CrashPlan } from './crash-plan.ts';
import { crashSignals } from './crash-signals.ts';
import { findingsOf, type CrashBounds, type CrashRule, type Finding } from './crash-rules.ts';
import type { CommandFate, ReadFate } from './fault-port.ts';
import type { SentCommand } from './record.ts';
import { runRecorded, type RecordedRun, type VenueFaults } from './recorded-run.ts';

export { CRASH_RULES, type CrashRule, type EndRule } from './crash-rules.ts';

export interface CrashOptions {
  readonly strategy: AnyStrategy;
  readonly params: Readonly<Record<string, string>>;
  readonly symbols: readonly string[];
  readonly config: BotConfig;
  /** The first seed, and how many seeds are run from there on. */
  readonly from: number;
  readonly seeds: number;
  readonly bounds: CrashBounds;
  /** What programs outside may say to the strategy. Nonsense is said to it too. */
  readonly signals?: readonly string[] | undefined;
  readonly progress?: ((seeds: number, share: number) => void) | undefined;
}

export interface BrokenRule extends Finding {
  /** Smallest seed that breaks it, and how many of the seeds do. */
  readonly seed: number;
  readonly count: number;
}

export interface CrashReport {
  readonly strategy: string;
  readonly seeds: number;
  /** Orders and fills of all seeds: without any, nothing was tested. */
  readonly orders: number;
  readonly fills: number;
  /** By smallest seed. */
  readonly broken: readonly BrokenRule[];
}

const START = Date.UTC(2024, 0, 1);

/** Runs the seeds. @throws Failure, StrategyError, ParamError if the strategy cannot be created */
export async function crashtest(options: CrashOptions): Promise<CrashReport> {
  const { from, progress, seeds } = options;
  const broken = new Map<CrashRule, BrokenRule>();
  let orders = 0;
  let fills = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    const { findings, run } = await judged(options, crashPlanOf(seed));
    orders += run?.record.orders.length ?? 0;
    fills += run?.report.fills.length ?? 0;
    for (const rule of new Set(findings.map((one) => one.rule))) {
      const first = findings.find((one) => one.rule === rule)!;
      const before = broken.get(rule);
      broken.set(rule, before === undefined ? { ...first, seed, count: 1 } : { ...before, count: before.count + 1 });
    }
    progress?.(seed - from + 1, (seed - from + 1) / seeds);
  }
  return { strategy: options.strategy.name, seeds, orders, fills, broken: [...broken.values()].sort((a, b) => a.seed - b.seed) };
}

interface Judged {
  readonly findings: readonly Finding[];
  readonly run: RecordedRun | null;
}

/** A wrong definition of the strategy is a finding. */
async function judged(options: CrashOptions, plan: CrashPlan): Promise<Judged> {
  try {
    return await crashSeed(options, plan);
  } catch (error) {
    if (error instanceof StrategyError) return { findings: [{ rule: 'errors', what: error.message.split('\n', 1)[0] ?? '' }], run: null };
    throw error;
  }
}

async function crashSeed(options: CrashOptions, plan: CrashPlan): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-crashtest-'));
  try {
    const tape = join(folder, 'tape');
    writeCrashMarket(tape, plan, marketsOf(options), START);
    const signals = crashSignals(plan, options.signals ?? [], START);
    let made: Made | null = null;
    const watched = watching(options.strategy, (one) => (made = one));
    const run = (to?: number): Promise<RecordedRun> =>
      runRecorded({
        strategy: watched,
        params: options.params,
        symbols: options.symbols,
        tape,
        start: START,
        config: options.config,
        everyTick: false,
        seed: plan.seed,
        faults: faultsOf(plan),
        signals,
        to,
      });
    const first = await run();
    const findings = findingsOf(first, options.bounds);
    const state = made === null ? null : stateFault(options, made);
    if (state !== null) findings.push({ rule: 'state', what: state });
    const again = differenceOf(first.record.commands, (await run()).record.commands, Infinity);
    if (again !== null) findings.push({ rule: 'repeat', what: again });
    const cutMs = Math.floor(plan.seconds * 500 * plan.stretch);
    const cut = await run(START + cutMs);
    const ahead = differenceOf(first.record.commands, cut.record.commands, cut.report.tape.to - START - EDGE_MS);
    if (ahead !== null) findings.push({ rule: 'ahead', what: ahead });
    return { findings, run: first };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Near the cut the bot stops, which is not the strategy's doing. */
const EDGE_MS = 1_000;

/** A created strategy: its handlers and its markets. */
interface Made {
  readonly handlers: StrategyHandlers;
  readonly markets: readonly Market[];
}

/** The strategy, with a look at what it creates. */
function watching(strategy: AnyStrategy, tell: (made: Made) => void): AnyStrategy {
  return {
    ...strategy,
    create(raw, markets) {
      const handlers = strategy.create(raw, markets);
      tell({ handlers, markets });
      return handlers;
    },
  };
}

/** What is wrong with `save` and `restore` after a run; null if nothing is. */
function stateFault({ params, strategy }: CrashOptions, { handlers, markets }: Made): string | null {
  try {
    const saved = handlers.save?.();
    if (saved === undefined) return null;
    const other = strategy.create(params, markets);
    if (other.restore === undefined) return 'there is save, but no restore';
    other.restore(saved);
    const again = other.save?.();
    return again === saved ? null : `saved ${short(saved)}; after restore it saves ${short(String(again))}`;
  } catch (error) {
    return `save or restore threw ${String(error)}`;
  }
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The first command before `until` in which two runs differ, in words; null if there is none. */
function differenceOf(first: readonly SentCommand[], second: readonly SentCommand[], until: number): string | null {
  const [a, b] = [first, second].map((all) => all.filter(({ at }) => at < until).map((one) => JSON.stringify(one)));
  const k = a!.findIndex((text, place) => text !== b![place]);
  if (k < 0 && a!.length === b!.length) return null;
  const at = (k < 0 ? second[a!.length] : first[k])?.at ?? 0;
  return `the runs differ from command ${(k < 0 ? a!.length : k) + 1} at ${at} ms on`;
}

function marketsOf({ config, symbols }: CrashOptions): readonly Instrument[] {
  const futures = instrumentsOf(config.instruments).filter(({ product }) => product === 'futures');
  const wanted = symbols.map((name) => name.replace(/^spot:/, ''));
  if (wanted.length === 0) return futures.slice(0, 1);
  return wanted.map((symbol) => {
    const found = futures.find((one) => one.symbol === symbol);
    if (found === undefined) throw new RangeError(`no instrument ${symbol}`);
    return found;
  });
}

/** Faults by chance, the same in each run of the plan. */
function faultsOf({ commandFaults, readFaults, seed }: CrashPlan): VenueFaults {
  const random = new Random(seed * 7 + 3);
  return {
    command: () => (random.uniform() < commandFaults ? commandFateOf(random) : null),
    read: () => (random.uniform() < readFaults ? readFateOf(random) : null),
  };
}

function commandFateOf(random: Random): CommandFate {
  const ms = 10 + random.below(3_000);
  switch (random.below(7)) {
    case 0:
      return { kind: 'refused', rejection: { reason: 'insufficient-balance', code: '', message: 'insufficient-balance' } };
    case 1:
      return { kind: 'unsent' };
    case 2:
      return { kind: 'lost' };
    case 3:
      return { kind: 'unheard' };
    case 4:
      return { kind: 'late', ms };
    case 5:
      return { kind: 'slow', ms };
    default:
      return { kind: 'twice' };
  }
}

function readFateOf(random: Random): ReadFate {
  return random.below(2) === 0 ? { kind: 'failed' } : { kind: 'slow', ms: 10 + random.below(2_000) };
}
