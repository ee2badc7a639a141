/** The notes of a backtest report on what its simulator simplifies. */
import { exactPercent } from '../../../base/text/percent.ts';
import { limitFor, type ExchangeConfig, type FundingConfig, type SimulationConfig } from '../../../config/model.ts';
import { keyOf, SWITCH_LIST, type SwitchName } from '../../../contract/switches.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { FILL_MODELS } from '../../../domain/models/fill.ts';
import { LATENCY_MODELS } from '../../../domain/models/latency.ts';
import { ONE } from '../../../domain/amounts/units.ts';
import type { RunFacts } from './run-facts.ts';

/** In sentences. */
export function modelNotes(facts: RunFacts): string[] {
  const { options, sampleMs, instruments, impact } = facts;
  const { simulation } = options.config;
  const { fillModel, funding } = simulation;
  const notes: string[] = [];
  const isOnBars = facts.sees === 'bars';
  if (!isOnBars) notes.push(latencyNote(simulation));
  if (!isOnBars) notes.push(`fills by the "${fillModel}" model: a resting order ${FILL_MODELS[fillModel].note}`);
  const rate = isOnBars ? Infinity : limitFor(options.config.limits, 'order');
  if (Number.isFinite(rate)) notes.push(`at most ${rate} order commands a second leave, by the configured limits; others wait their turn.`);
  const left = isOnBars
    ? 'all of them together fill at most the volume of a bar.'
    : 'what they take is there again when that side of the book next changes.';
  notes.push(`${impactNote(simulation, impact)} and nobody reacts to them; ${left}`);
  if (simulation.fees.model === 'tiers')
    notes.push('fees by the tiers of the configuration; liquidation prices use the rates of the instrument.');
  notes.push(`drawdown and exposure are those of the equity as it stood every ${sampleMs / 1000} s.`);
  notes.push(fundingNote(funding, instruments));
  notes.push(
    isOnBars
      ? 'without recorded ones the mark price is the price of the bar itself; funding within a bar is paid at its open; liquidation is looked at along its path.'
      : 'the mark price is the mid of the book, smoothed over 30 s and kept between the last trade and the current mid; liquidation is looked at once a second.',
    ...withoutEffect(options.config.exchange),
  );
  return notes;
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
  const { model, spikeChance } = latency;
  if (model === 'constant' && upMs + downMs === 0) return 'orders and answers take no time (latency 0): no real venue is like that.';
  const times = `an order takes ${upMs} ms to the venue and its answer ${downMs} ms back`;
  return LATENCY_MODELS[model].note(times, { ...latency, spikeChance: Number(spikeChance) });
}

function impactNote({ impact }: SimulationConfig, measured: RunFacts['impact']): string {
  if (impact.model === 'none') return 'our orders move no price';
  const stated = measured === null ? [['', impact] as const] : [...measured];
  const terms = stated.map(([symbol, found]) => {
    const [coefficient, volatility, turnover] = (['coefficient', 'volatility', 'turnover'] as const).map((key) => {
      if (impact[key] !== 'tape') return Number(impact[key]);
      return Number((Number(found[key]) / (key === 'turnover' ? ONE : 1)).toPrecision(3));
    });
    return `${symbol === '' ? '' : `${symbol} `}${coefficient} × ${exactPercent(volatility!)} × √(value / ${turnover})`;
  });
  const where = measured === null ? '' : ', as measured on the tape';
  return `orders that take pay an impact of ${terms.join(', ')}${where}, but move no price after that,`;
}

function fundingNote({ model, everyMs, rate, file }: FundingConfig, instruments: readonly Instrument[]): string {
  if (model === 'off') return 'no funding is charged.';
  if (model === 'recorded') return `funding at the recorded rates of the ${file === '' ? 'tape' : 'file'}, at their times.`;
  const named = instruments.flatMap(({ symbol, fundingRate }) =>
    fundingRate === null ? [] : [`, ${symbol} ${exactPercent(fundingRate / ONE)}`],
  );
  const by = model === 'premium' ? ', adjusted by the distance of the mark from the smoothed mid' : '';
  return `funding every ${everyMs % 3_600_000 === 0 ? `${everyMs / 3_600_000} h` : `${everyMs / 1_000} s`} at ${exactPercent(Number(rate))}${named.join('')}${by}: an assumed rate, not the recorded one.`;
}
