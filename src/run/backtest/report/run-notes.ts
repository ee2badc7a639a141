/** The warnings of a backtest report: first the problems of this run, then the limits of the model. */
import { basename } from 'node:path';
import { counted, firstOf } from '../../../base/text/figures.ts';
import { SIDES } from '../../../domain/codes.ts';
import { formatLots, type Instrument } from '../../../domain/instrument.ts';
import { limitFor } from '../../../config/model.ts';
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import { reachOf } from '../../../engine/strategy/definition/universe.ts';
import { notesAbout, type Note } from '../../../report/notes.ts';
import type { StrategyFailure } from '../../../report/run-report.ts';
import type { SpotBook } from '../../../report/fills/spot-book.ts';
import type { Manifest } from '../../../tape/file/manifest.ts';
import { qualitySentences } from '../../../tape/quality/sentences.ts';
import { endOf } from '../../../tape/read.ts';
import { modelNotes } from './model-notes.ts';
import type { RunFacts } from './run-facts.ts';
import { universeNotes } from './universe-notes.ts';

/** Events that have their own note. */
const TOLD = new Set([
  'strategy-error',
  'strategy-disabled',
  'intent-refused',
  'command-rejected',
  'read-failed',
  'external',
  'opens-halted',
  'size-rounded',
  'exports-unread',
  'universe-chosen',
]);

export function notesOf(facts: RunFacts): Note[] {
  return [
    ...notesAbout('data', universeNotes(facts)),
    ...notesAbout('run', troubles(facts)),
    ...notesAbout('data', [...qualitySentences(facts.manifest), ...facts.adjusted]),
    ...notesAbout('model', facts.barNotes),
    ...notesAbout('end', leftovers(facts)),
    ...notesAbout('sight', sights(facts)),
    ...notesAbout('data', missing(facts)),
    ...notesAbout('model', modelNotes(facts)),
  ];
}

/** The strategies that were disabled during the run, with the reason. Their result is not valid. */
export function failedOf({ status, log }: Pick<RunFacts, 'status' | 'log'>): StrategyFailure[] {
  const disabled = status.strategies.filter((strategy) => strategy.isDisabled);
  return disabled.map(({ name, errors }) => {
    const error = log.detailOf('strategy-error', name, 'error');
    const isRunaway = log.detailOf('strategy-disabled', name, 'why') === 'runaway';
    const why = isRunaway ? 'for answering every answer with another intent' : `after ${counted(errors, 'error')}`;
    return { strategy: name, why: error === '' ? why : `${why}: ${error}` };
  });
}

/** The strategies that ran on although their handlers threw. */
export function threwOf({ status, log }: Pick<RunFacts, 'status' | 'log'>): StrategyFailure[] {
  const threw = status.strategies.filter(({ isDisabled, errors }) => !isDisabled && errors > 0);
  return threw.map(({ name, errors }) => ({ strategy: name, why: thrownWords(log, name, errors) }));
}

function thrownWords(log: RunFacts['log'], name: string, errors: number): string {
  const of = (field: string): string => log.detailOf('strategy-error', name, field);
  return `${times(errors)}, first in ${of('handler')}: ${of('error')}`;
}

/** Problems of the run. */
function troubles({ status, counters, log, options, strategies }: RunFacts): string[] {
  const notes: string[] = [];
  for (const { file = '', unread = [] } of strategies)
    if (unread.length > 0) notes.push(`exports of ${basename(file)} that are read by nothing: ${unread.join(', ')}.`);
  for (const { name, errors, isDisabled, warmingUp } of status.strategies) {
    if (warmingUp !== '')
      notes.push(`${name} never started, because it waits for bars: it had ${warmingUp}. Use a longer tape, or --from.`);
    if (errors > 0) notes.push(`${name} threw ${thrownWords(log, name, errors)}.`);
    if (isDisabled) notes.push(`${name} was disabled during the run: from then on it did nothing.`);
  }
  for (const { scope, code, detail } of status.halts) {
    if (scope === 'bot') notes.push(`opening orders were halted everywhere: ${code}, ${detail}.`);
    else notes.push(`${scope.slice(scope.indexOf(':') + 1)}: opening orders were halted at the end: ${detail}.`);
  }
  if (counters.liquidations > 0) notes.push(`the venue liquidated: ${times(counters.liquidations)} it reduced or closed a position.`);
  const flood = status.counts['intent-refused flood'] ?? 0;
  if (flood > 0)
    notes.push(`${counted(flood, 'intent')} refused for coming too fast (rule "flood"): the strategy did less than it wanted to.`);
  const wanted = counters.counts();
  if (wanted.unsent > 0) {
    const rate = limitFor(options.config.limits, 'order');
    notes.push(
      `${counted(wanted.unsent, 'order')} never left: at most ${rate} commands a second do, and they waited too long for their turn.`,
    );
  }
  notes.push(...roundings(status, log));
  for (const [event, n] of Object.entries(status.counts)) {
    const [kind, why = ''] = event.split(' ');
    if (kind === 'nothing-to-close')
      notes.push(
        `${event.slice(kind.length + 1)}: ctx.close found nothing to close ${times(n)}: no position, or orders that close it already.`,
      );
    if (kind === 'intent-refused' && why !== 'flood')
      notes.push(`${counted(n, 'intent')} refused (${why}); the first: ${log.detail(kind, why)}.`);
    if (kind === 'command-rejected') notes.push(`the venue refused ${counted(n, 'command')}: ${why}.`);
    if (kind === 'read-failed') notes.push(`${counted(n, 'poll')} of ${why} got no answer.`);
  }
  for (const [kind, action, what] of log.externals()) {
    if (kind === 'liquidation') continue;
    notes.push(`something happened that no order of this run did (${kind}, policy ${action}): ${what}.`);
  }
  for (const [event, n] of log.worst(5, TOLD)) notes.push(`logged ${times(n)}: ${event}.`);
  return notes;
}

/** Sizes that came out much smaller than the strategy asked for: one of each strategy. */
function roundings({ strategies }: RunFacts['status'], log: RunFacts['log']): string[] {
  return strategies.flatMap(({ name }) => {
    const of = (field: string): string => log.detailOf('size-rounded', name, field);
    if (of('asked') === '') return [];
    return [
      `${name}: a size of ${of('asked')} of ${of('symbol')} was rounded down to ${of('size')}, more than 10 % less: a lot is ${of('lot')}.`,
    ];
  });
}

/** Positions, orders and commands that the end of the tape cut off. */
function leftovers({ sim, status, instruments, spot }: RunFacts): string[] {
  const legs = sim.positions(0, -1).map(({ instrument, side, total }) => {
    const one = instruments[instrument]!;
    return `${one.symbol} ${SIDES[side] ?? ''} ${formatLots(total, one)}`;
  });
  const notes = openNotes(legs);
  const resting = sim.pending(0, -1).length;
  if (resting > 0) notes.push(`${counted(resting, 'order')} still rested when the tape ended.`);
  if (status.commandsInFlight > 0) notes.push(`${counted(status.commandsInFlight, 'command')} had no answer yet when the tape ended.`);
  if (spot !== null) notes.push(...spotNotes(instruments, spot));
  return notes;
}

/** Positions that a note names, at most. */
const NAMED = 3;

function openNotes(legs: readonly string[]): string[] {
  if (legs.length === 0) return [];
  if (legs.length === 1) return [`${legs[0]} is still open at the end: it counts at the mark price, without the cost of closing it.`];
  return [
    `${legs.length} positions are still open at the end (${firstOf(legs, NAMED)}): they count at the mark price, without the cost of closing them.`,
  ];
}

/** Notes about spot in the result. */
function spotNotes(instruments: readonly Instrument[], spot: SpotBook): string[] {
  const notes: string[] = [];
  for (const one of instruments) {
    const lots = spot.holdings[one.index]?.lots ?? 0;
    const size = formatLots(Math.abs(lots), one);
    if (lots > 0)
      notes.push(`${one.symbol} spot ${size} is still held at the end: it counts at the last bid, without the cost of selling it.`);
    if (lots < 0)
      notes.push(`${one.symbol} spot ${size} was sold out of the deposit: its proceeds are compared with its value at the last bid.`);
  }
  notes.push('equity is that of the futures and the spot account together; coins that were deposited count only once they are sold.');
  return notes;
}

/** True if --from or --to leaves out some of the tape. A bar must end by --to. */
function isPart({ from = -Infinity, to = Infinity, start, speed }: RunFacts['options'], manifest: RunFacts['manifest']): boolean {
  const begin = start ?? manifest.from;
  return from > begin || to < begin + (endOf(manifest) - manifest.from) / speed;
}

/** What the strategy could see. */
function sights({ options, sees, strategies, instruments, manifest }: RunFacts): string[] {
  const notes: string[] = [];
  const { poll } = options.config;
  if (sees === 'bars') {
    notes.push('the strategy saw each bar, and what its orders did in it, when the bar ended.');
  } else if (sees === 'ticks') {
    notes.push('--every-tick: the strategy saw every row at once and its fills at once, which is more than it would see live.');
  } else {
    notes.push(
      `the strategy saw the market as its polls would have shown it: quotes every ${poll.quotes} ms, trades every ${poll.trades} ms.`,
    );
    notes.push(...unseen(strategies, instruments));
  }
  if (options.speed !== 1) notes.push(`the tape's time runs ${options.speed} times as fast as it was recorded.`);
  if (isPart(options, manifest)) notes.push('only a part of the tape was run (--from, --to).');
  notes.push(...sharing(strategies, instruments));
  return notes;
}

/** What is missing on the tape and in the configuration. */
function missing({ manifest, guessed, strategies, instruments }: RunFacts): string[] {
  const notes = manifest.symbols.flatMap(({ symbol }) => holes(manifest, symbol));
  const traded = new Set(strategies.flatMap((one) => reachOf(one).map((index) => instruments[index]!.symbol)));
  const unknown = guessed.filter((symbol) => traded.has(symbol));
  if (unknown.length > 0) notes.push(`${unknown.join(', ')}: not configured; the grid is read off the tape, fees and limits are guessed.`);
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

function times(n: number): string {
  return n === 1 ? 'once' : `${n} times`;
}
