/** The warnings of a backtest report: first the problems of this run, then the limits of the model. */
import { SIDES } from '../../domain/codes.ts';
import { formatLots, type Instrument } from '../../domain/instrument.ts';
import { limitFor, type FundingConfig, type SimulationConfig } from '../../config/model.ts';
import type { FillModelName } from '../../domain/models/fill.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/setup.ts';
import type { KernelStatus } from '../../engine/status.ts';
import { notesAbout, type Note } from '../../report/notes.ts';
import type { StrategyFailure } from '../../report/run-report.ts';
import type { SpotBook } from '../../report/spot-book.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import type { Manifest } from '../../tape/manifest.ts';
import { qualitySentences } from '../../tape/quality/sentences.ts';
import type { BacktestOptions } from '../setup/options.ts';
import type { MeasuredTerms } from '../setup/sim-terms.ts';
import type { QuietLog } from './quiet-log.ts';
import type { RunCounters } from './run-tally.ts';
import type { Sight } from './sight.ts';
import { ONE } from '../../domain/units.ts';

/** A finished run. */
export interface RunFacts {
  readonly options: BacktestOptions;
  readonly manifest: Manifest;
  readonly sees: Sight;
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
  /** Symbols without a configuration. */
  readonly guessed: readonly string[];
  /** Symbols whose built-in grid gave way to the tape's, in sentences. */
  readonly adjusted: readonly string[];
  /** Milliseconds between two equity samples. */
  readonly sampleMs: number;
  readonly status: KernelStatus;
  readonly sim: VenueSim;
  /** Terms of the impact by symbol, if they were measured. */
  readonly impact: MeasuredTerms | null;
  readonly tally: RunCounters;
  readonly log: QuietLog;
  /** What is to be said of a market of bars. */
  readonly barNotes: readonly string[];
  /** null where no strategy trades spot. */
  readonly spot: SpotBook | null;
}

/** Events that have their own note. */
const TOLD = new Set([
  'strategy-error',
  'strategy-disabled',
  'intent-refused',
  'command-rejected',
  'read-failed',
  'external',
  'opens-halted',
]);

const FILLS: Readonly<Record<FillModelName, string>> = {
  touch: 'a resting order fills as soon as its price trades, as if nobody stood before it: more often than live would.',
  through: 'a resting order fills only when the market trades beyond its price: less often than live would.',
  queue: 'a resting order waits behind the size that was displayed when it joined the best price; deeper levels are not on the tape.',
  'prob-queue':
    'a resting order waits behind the size that was displayed when it joined the best price; what is cancelled there is taken evenly from before and behind it.',
};

export function notesOf(facts: RunFacts): Note[] {
  return [
    ...notesAbout('run', troubles(facts)),
    ...notesAbout('data', [...qualitySentences(facts.manifest), ...facts.adjusted]),
    ...notesAbout('model', facts.barNotes),
    ...notesAbout('end', leftovers(facts)),
    ...notesAbout('sight', sights(facts)),
    ...notesAbout('data', missing(facts)),
    ...notesAbout('model', models(facts)),
  ];
}

/** The strategies that were disabled during the run, with the reason. Their result is not valid. */
export function failedOf({ status, log }: Pick<RunFacts, 'status' | 'log'>): StrategyFailure[] {
  const disabled = status.strategies.filter((strategy) => strategy.isDisabled);
  return disabled.map(({ name, errors }) => {
    const error = log.detailOf('strategy-error', name, 'error');
    const isRunaway = log.detailOf('strategy-disabled', name, 'why') === 'runaway';
    const why = isRunaway ? 'for answering every answer with another intent' : `after ${count(errors, 'error')}`;
    return { strategy: name, why: error === '' ? why : `${why}: ${error}` };
  });
}

/** Problems of the run. */
function troubles({ status, tally, log, options }: RunFacts): string[] {
  const notes: string[] = [];
  for (const { name, errors, isDisabled, warmingUp } of status.strategies) {
    if (warmingUp !== '')
      notes.push(`${name} never started, because it waits for bars: it had ${warmingUp}. Use a longer tape, or --from.`);
    const of = (field: string): string => log.detailOf('strategy-error', name, field);
    if (errors > 0) notes.push(`${name} threw ${times(errors)}, first in ${of('handler')}: ${of('error')}.`);
    if (isDisabled) notes.push(`${name} was disabled during the run: from then on it did nothing.`);
  }
  for (const { scope, code, detail } of status.halts) {
    if (scope === 'bot') notes.push(`opening orders were halted everywhere: ${code}, ${detail}.`);
    else notes.push(`${scope.slice(scope.indexOf(':') + 1)}: opening orders were halted at the end: ${detail}.`);
  }
  if (tally.liquidations > 0) notes.push(`the venue liquidated: ${times(tally.liquidations)} it reduced or closed a position.`);
  const flood = status.counts['intent-refused flood'] ?? 0;
  if (flood > 0)
    notes.push(`${count(flood, 'intent')} refused for coming too fast (rule "flood"): the strategy did less than it wanted to.`);
  const wanted = tally.counts();
  if (wanted.unsent > 0) {
    const rate = limitFor(options.config.limits, 'order');
    notes.push(
      `${count(wanted.unsent, 'order')} never left: at most ${rate} commands a second do, and they waited too long for their turn.`,
    );
  }
  for (const [event, n] of Object.entries(status.counts)) {
    const [kind, why = ''] = event.split(' ');
    if (kind === 'intent-refused' && why !== 'flood')
      notes.push(`${count(n, 'intent')} refused (${why}); the first: ${log.detail(kind, why)}.`);
    if (kind === 'command-rejected') notes.push(`the venue refused ${count(n, 'command')}: ${why}.`);
    if (kind === 'read-failed') notes.push(`${count(n, 'poll')} of ${why} got no answer.`);
  }
  for (const [kind, action, what] of log.externals()) {
    if (kind === 'liquidation') continue;
    notes.push(`something happened that no order of this run did (${kind}, policy ${action}): ${what}.`);
  }
  for (const [event, n] of log.worst(5, TOLD)) notes.push(`logged ${times(n)}: ${event}.`);
  return notes;
}

/** Positions, orders and commands that the end of the tape cut off. */
function leftovers({ sim, status, instruments, spot }: RunFacts): string[] {
  const notes: string[] = [];
  for (const { instrument, side, total } of sim.positions(0, -1)) {
    const one = instruments[instrument]!;
    const leg = `${one.symbol} ${SIDES[side] ?? ''} ${formatLots(total, one)}`;
    notes.push(`${leg} is still open at the end: it counts at the mark price, without the cost of closing it.`);
  }
  const resting = sim.pending(0, -1).length;
  if (resting > 0) notes.push(`${count(resting, 'order')} still rested when the tape ended.`);
  if (status.commandsInFlight > 0) notes.push(`${count(status.commandsInFlight, 'command')} had no answer yet when the tape ended.`);
  if (spot !== null) notes.push(...spotNotes(instruments, spot));
  return notes;
}

/** Notes about spot in the result. */
function spotNotes(instruments: readonly Instrument[], spot: SpotBook): string[] {
  const notes: string[] = [];
  for (const one of instruments) {
    const lots = spot.holdings[one.index]?.lots ?? 0;
    const size = formatLots(Math.abs(lots), one);
    if (lots > 0)
      notes.push(`${one.symbol} spot ${size} is still held at the end: it counts at the last bid, without the cost of selling it.`);
    if (lots < 0) notes.push(`${one.symbol} spot ${size} was sold out of the deposit: what it brought is set against the last bid.`);
  }
  notes.push('equity is that of the futures and the spot account together; coins that were deposited count only once they are sold.');
  return notes;
}

/** What the strategy could see. */
function sights({ options, sees, strategies, instruments }: RunFacts): string[] {
  const notes: string[] = [];
  const { poll } = options.config;
  if (sees === 'points') {
    notes.push(
      'the strategy saw the prices of the path of each bar as they came, and its orders and fills as its polls would have shown them.',
    );
  } else if (sees === 'ticks') {
    notes.push('--every-tick: the strategy saw every row at once and heard of its fills at once, which is more than live would show it.');
  } else {
    notes.push(
      `the strategy saw the market as its polls would have shown it: quotes every ${poll.quotes} ms, trades every ${poll.trades} ms.`,
    );
    notes.push(...unseen(strategies, instruments));
  }
  if (options.speed !== 1) notes.push(`the tape's time runs ${options.speed} times as fast as it was recorded.`);
  if (options.from !== undefined || options.to !== undefined) notes.push('only a part of the tape was run (--from, --to).');
  notes.push(...sharing(strategies, instruments));
  return notes;
}

/** What is missing on the tape and in the configuration. */
function missing({ manifest, guessed }: RunFacts): string[] {
  const notes = manifest.symbols.flatMap(({ symbol }) => holes(manifest, symbol));
  if (guessed.length > 0) notes.push(`${guessed.join(', ')}: not configured; the grid is read off the tape, fees and limits are guessed.`);
  return notes;
}

/** Spot instruments that the strategy could not see: no endpoint shows spot prices. */
function unseen(strategies: readonly StrategySetup[], instruments: readonly Instrument[]): string[] {
  const blind = instruments.filter(({ product, index }) => product === 'spot' && strategies.some((one) => one.instruments.includes(index)));
  return blind.map(({ symbol }) => `${symbol} spot: no poll shows its market, so the strategy saw nothing of it; --every-tick shows it.`);
}

/** Symbols whose positions several strategies share. */
function sharing(strategies: readonly StrategySetup[], instruments: readonly Instrument[]): string[] {
  return instruments.flatMap(({ symbol, product, index }) => {
    const names = strategies.filter((one) => one.instruments.includes(index)).map(nameOf);
    if (product !== 'futures' || names.length < 2) return [];
    return [`${symbol}: ${names.join(' and ')} share its positions; each sees, and may close, what the other opened.`];
  });
}

function holes(manifest: Manifest, symbol: string): string[] {
  const notes: string[] = [];
  const streams = manifest.streams.filter((stream) => stream.symbol === symbol);
  const book = streams.find((stream) => stream.kind === 'quotes');
  const trades = streams.find((stream) => stream.kind === 'trades');
  const bars = streams.find((stream) => stream.kind === 'bars');
  const isBars = bars !== undefined && book === undefined && trades === undefined;
  if (book === undefined && !isBars) {
    notes.push(`${symbol}: no book on the tape; orders that take trade at the last price, without a spread and without a limit of size.`);
  }
  if (trades === undefined && !isBars) {
    notes.push(
      `${symbol}: no trades on the tape; no trade or bar is seen, and a resting order fills only when the opposite quote reaches it.`,
    );
  }
  const gaps = (book ?? trades ?? bars)?.gaps;
  const longest = gaps?.longest[0];
  if (gaps !== undefined && longest !== undefined) {
    const seconds = ((longest.to - longest.from) / 1000).toFixed(1);
    const often = times(gaps.count);
    notes.push(
      `${symbol}: the recording is silent for more than ${gaps.over / 1000} s ${often}, the longest ${seconds} s; what happened then is missing.`,
    );
  }
  return notes;
}

/** Simplifications of the simulator. */
function models(facts: RunFacts): string[] {
  const { options, sampleMs, instruments, impact } = facts;
  const { simulation } = options.config;
  const { fillModel, funding } = simulation;
  const notes: string[] = [];
  notes.push(latencyNote(simulation));
  notes.push(`fills by the "${fillModel}" model: ${FILLS[fillModel]}`);
  const rate = limitFor(options.config.limits, 'order');
  if (Number.isFinite(rate)) notes.push(`at most ${rate} order commands a second leave, by the configured limits; others wait their turn.`);
  notes.push(
    `${impactNote(simulation, impact)} and nobody reacts to them; what they take is there again when that side of the book next changes.`,
  );
  if (simulation.fees.model === 'tiers')
    notes.push('fees by the tiers of the configuration; liquidation prices count with the rates of the instrument.');
  notes.push(`drawdown and exposure are those of the equity as it stood every ${sampleMs / 1000} s.`);
  notes.push(fundingNote(funding, instruments));
  notes.push(`${marksNote(facts)}; liquidation is looked at once a second.`);
  return notes;
}

/** Where mark prices come from: those of the tape are in a note of their own. */
function marksNote({ sim, instruments }: RunFacts): string {
  const futures = instruments.filter(({ product }) => product === 'futures');
  const onPaths = futures.filter(({ index }) => !sim.marketOf(index).hasSlowMid);
  const smoothed = 'the mid of the book, smoothed over 30 s and kept between the last trade and the mid of now';
  if (onPaths.length === 0) return `the mark price is ${smoothed}`;
  if (onPaths.length === futures.length) return "the mark price is the mid of the bar's path";
  return `the mark price of ${onPaths.map(({ symbol }) => symbol).join(', ')} is the mid of the bar's path, of the others ${smoothed}`;
}

function latencyNote({ upMs, downMs, latency }: SimulationConfig): string {
  const { model, jitterMs, spikeChance, spikeMs } = latency;
  if (model === 'measured') return 'an order and its answer take delays drawn from the measured ones, each apart from the last.';
  if (model !== 'constant') {
    const spikes = model === 'spikes' ? `, and ${spikeMs} ms more in ${percent(Number(spikeChance))} of the messages` : '';
    return `an order takes ${upMs} ms to the venue and its answer ${downMs} ms back, each with up to ${jitterMs} ms more${spikes}.`;
  }
  if (upMs + downMs > 0) return `an order takes ${upMs} ms to the venue and its answer ${downMs} ms back, always the same.`;
  return 'orders and answers take no time (latency 0): no real venue is like that.';
}

function impactNote({ impact }: SimulationConfig, measured: RunFacts['impact']): string {
  if (impact.model === 'none') return 'our orders move no price';
  const stated = measured === null ? [['', impact] as const] : [...measured];
  const terms = stated.map(([symbol, found]) => {
    const [coefficient, volatility, turnover] = (['coefficient', 'volatility', 'turnover'] as const).map((key) => {
      if (impact[key] !== 'tape') return Number(impact[key]);
      return Number((Number(found[key]) / (key === 'turnover' ? ONE : 1)).toPrecision(3));
    });
    return `${symbol === '' ? '' : `${symbol} `}${coefficient} × ${percent(volatility!)} × √(value / ${turnover})`;
  });
  const where = measured === null ? '' : ', as measured on the tape';
  return `orders that take pay an impact of ${terms.join(', ')}${where}, but move no price after that,`;
}

function fundingNote({ model, everyMs, rate, file }: FundingConfig, instruments: readonly Instrument[]): string {
  if (model === 'off') return 'no funding is charged.';
  if (model === 'recorded') return `funding at the recorded rates of the ${file === '' ? 'tape' : 'file'}, at their times.`;
  const named = instruments.flatMap(({ symbol, fundingRate }) =>
    fundingRate === null ? [] : [`, ${symbol} ${percent(fundingRate / ONE)}`],
  );
  const by = model === 'premium' ? ', more or less by how far the mark is from the smoothed book' : '';
  return `funding every ${everyMs % 3_600_000 === 0 ? `${everyMs / 3_600_000} h` : `${everyMs / 1_000} s`} at ${percent(Number(rate))}${named.join('')}${by}: a made-up rate, not the one of that time.`;
}

/** A share in percent: 0.0001 → "0.01 %". */
function percent(share: number): string {
  return `${Number((share * 100).toPrecision(8))} %`;
}

function times(n: number): string {
  return n === 1 ? 'once' : `${n} times`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
