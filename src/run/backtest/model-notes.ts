/** The notes of a backtest report on what its simulator simplifies. */
import { limitFor, type ExchangeConfig, type FundingConfig, type SimulationConfig } from '../../config/model.ts';
import { keyOf, SWITCH_LIST, type SwitchName } from '../../contract/switches.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { FillModelName } from '../../domain/models/fill.ts';
import { ONE } from '../../domain/units.ts';
import type { RunFacts } from './run-facts.ts';

const FILLS: Readonly<Record<FillModelName, string>> = {
  touch: 'a resting order fills as soon as its price trades, as if nobody stood before it: more often than live would.',
  through: 'a resting order fills only when the market trades beyond its price: less often than live would.',
  queue: 'a resting order waits behind the size that was displayed when it joined the best price; deeper levels are not on the tape.',
  'prob-queue':
    'a resting order waits behind the size that was displayed when it joined the best price; what is cancelled there is taken evenly from before and behind it.',
};

/** In sentences. */
export function modelNotes(facts: RunFacts): string[] {
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
  notes.push(`${marksNote(facts)}; liquidation is looked at once a second.`, ...withoutEffect(options.config.exchange));
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

/** Settings of the paper exchange that act in a backtest. */
const ACTING: ReadonlySet<string> = new Set(['modify', 'bracketsBy', 'blockedExits', 'bracketSide'] satisfies SwitchName[]);

/** Settings of the paper exchange that the configuration changes and a backtest does not have. */
function withoutEffect(exchange: ExchangeConfig): string[] {
  const changed = SWITCH_LIST.filter(({ name, fallback }) => !ACTING.has(name) && exchange[name] !== fallback).map(({ name }) =>
    keyOf(name),
  );
  if (exchange.reference !== '') changed.push('exchange.reference');
  if (changed.length === 0) return [];
  return [`${changed.join(', ')}: ${changed.length === 1 ? 'a setting' : 'settings'} of the paper exchange that a backtest does not have.`];
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
