/**
 * Fits the latency model and the fill model of a simulation to recorded sessions, and scores them on the part of the sessions that they were
 * not fitted to, beside the default models.
 */
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import { defaultConfig } from '../../../config/defaults.ts';
import { FILL_MODELS, type FillModelName } from '../../../domain/models/fill.ts';
import type { Delays, WayDelays } from '../../../domain/models/latency.ts';
import { brier, crps, quantilesOf } from '../../../statistics/samples/crps.ts';
import { fillsUnder, restingOrders } from './fill-trial.ts';
import type { MarketTape } from '../facts/market-rows.ts';
import { damageOf, readSessions } from '../facts/read-sessions.ts';
import type { Trip } from './recording.ts';
import { eachOf, subjectOf, type Subject } from './session-subject.ts';

/** Fewer messages or orders than this say nothing. */
const LEAST = 30;
/** Share of the time that is fitted; the rest is forecast. */
const FITTED = 2 / 3;
/** Delays in the file, at most: quantiles of those that were measured. */
const DELAYS_MAX = 1_000;
/** Longest delay that the file may have. */
const LONGEST_MS = 60_000;

/** Delays of one kind of message, there and back in milliseconds. */
export interface LatencyFit {
  readonly kind: 'orders' | 'reads';
  readonly fitted: number;
  readonly forecast: number;
  /** Of all messages; NaN without any. */
  readonly median: number;
  /** NaN without any. */
  readonly p99: number;
  /** NaN without any. */
  readonly most: number;
  /** Share of the messages that took more than five times the median; NaN without any. */
  readonly spikes: number;
  /** Mean error (CRPS, milliseconds) of the measured delays on the messages that were not fitted; NaN without any. */
  readonly score: number;
  /** The same of the default model; NaN without any. */
  readonly defaultScore: number;
}

export interface FillFit {
  readonly model: FillModelName;
  /** Mean squared error of the filled share on the orders that were fitted; NaN without any. */
  readonly fitScore: number;
  /** On the others; NaN without any. */
  readonly score: number;
  /** Share of the lots of the orders that were not fitted, as the model forecasts it; NaN without any. */
  readonly filled: number;
}

export interface Calibration {
  readonly sessions: number;
  readonly latency: readonly LatencyFit[];
  readonly fills: {
    /** Resting limit orders: fitted, and forecast. */
    readonly fitted: number;
    readonly forecast: number;
    /** Share of the lots that filled live, of the orders that were not fitted; NaN without any. */
    readonly filled: number;
    /** Best first. */
    readonly models: readonly FillFit[];
  };
  /** What was chosen; null keeps the default. */
  readonly chosen: { readonly latency: Delays | null; readonly fillModel: FillModelName | null };
  /** Why a default stays, and what of the sessions is missing, in sentences. */
  readonly notes: readonly string[];
}

/** `tape`: the market of the same time; default: what the polls returned. @throws Failure as readSessions, TapeError */
export async function calibrate(path: string, tape?: MarketTape): Promise<Calibration> {
  const all = await readSessions(path);
  const subjects: Subject[] = [];
  for await (const one of eachOf(all)) subjects.push(subjectOf(one, tape));
  const notes = [...damageOf(all.parts), ...subjects.flatMap((one) => one.notes)];
  const { simulation } = defaultConfig();
  const trips = {
    orders: subjects.flatMap(({ recording }) => recording.orderTrips),
    reads: subjects.flatMap(({ recording }) => recording.readTrips),
  };
  const constant = [simulation.upMs + simulation.downMs];
  const latency = (['orders', 'reads'] as const).map((kind) => latencyFit(kind, trips[kind], constant));
  const fills = fillFits(subjects);
  return {
    sessions: subjects.length,
    latency,
    fills,
    chosen: { latency: chosenDelays(latency, trips, notes), fillModel: chosenModel(fills, simulation.fillModel, notes) },
    notes,
  };
}

function latencyFit(kind: LatencyFit['kind'], trips: readonly Trip[], constant: readonly number[]): LatencyFit {
  const { fitted, others } = splitTrips(trips);
  const took = ({ up, down }: Trip): number => up + down;
  const sample = quantilesOf(fitted.map(took), DELAYS_MAX);
  const rest = quantilesOf(others.map(took), DELAYS_MAX);
  const median = sample[Math.floor(sample.length / 2)] ?? Number.NaN;
  return {
    kind,
    fitted: fitted.length,
    forecast: others.length,
    median,
    p99: sample[Math.min(sample.length - 1, Math.floor(0.99 * sample.length))] ?? Number.NaN,
    most: sample.at(-1) ?? Number.NaN,
    spikes: sample.filter((one) => one > 5 * median).length / sample.length,
    score: crps(sample, rest),
    defaultScore: crps(constant, rest),
  };
}

function splitTrips(trips: readonly Trip[]): { fitted: Trip[]; others: Trip[] } {
  const sorted = trips.toSorted((a, b) => a.sentAt - b.sentAt);
  const at = Math.floor(sorted.length * FITTED);
  return { fitted: sorted.slice(0, at), others: sorted.slice(at) };
}

/** The measured delays of all messages, if they forecast better than the default. */
function chosenDelays(
  fits: readonly LatencyFit[],
  trips: Readonly<Record<LatencyFit['kind'], readonly Trip[]>>,
  notes: string[],
): Delays | null {
  for (const { kind, fitted, forecast, score, defaultScore } of fits) {
    if (fitted + forecast < LEAST) notes.push(`latency stays as it is: too few ${kind} (${fitted + forecast} of ${LEAST}).`);
    else if (!(score < defaultScore)) notes.push(`latency stays as it is: for ${kind} the default forecasts better.`);
    else continue;
    return null;
  }
  return { orders: waysOf(trips.orders), reads: waysOf(trips.reads) };
}

function waysOf(trips: readonly Trip[]): WayDelays {
  const whole = (values: number[]): number[] =>
    quantilesOf(values, DELAYS_MAX).map((ms) => Math.min(LONGEST_MS, Math.max(0, Math.round(ms))));
  return { up: whole(trips.map(({ up }) => up)), down: whole(trips.map(({ down }) => down)) };
}

function fillFits(subjects: readonly Subject[]): Calibration['fills'] {
  const orders = subjects.flatMap((subject) => restingOrders(subject).map((order) => ({ ...order, subject })));
  const at = Math.floor(orders.length * FITTED);
  const [fitted, others] = [orders.slice(0, at), orders.slice(at)];
  const shareOf = (some: readonly { readonly lots: number; readonly filled: number }[]): number =>
    some.reduce((sum, { lots, filled }) => sum + lots * filled, 0) / some.reduce((sum, { lots }) => sum + lots, 0);
  const models = (Object.keys(FILL_MODELS) as FillModelName[]).map((model): FillFit => {
    const filled = new Map(subjects.map((subject) => [subject, fillsUnder(subject, model)]));
    const forecastOf = ({ subject, seq, lots }: (typeof orders)[number]): number =>
      Math.min(1, (filled.get(subject)?.get(seq) ?? 0) / lots);
    const score = (some: typeof orders): number =>
      brier(
        some.map(forecastOf),
        some.map((one) => one.filled),
      );
    return {
      model,
      fitScore: score(fitted),
      score: score(others),
      filled: shareOf(others.map((one) => ({ lots: one.lots, filled: forecastOf(one) }))),
    };
  });
  return {
    fitted: fitted.length,
    forecast: others.length,
    filled: shareOf(others),
    models: models.sort((a, b) => a.fitScore - b.fitScore),
  };
}

/** The model that fits best; the default if it is as good. */
function chosenModel({ fitted, forecast, models }: Calibration['fills'], fallback: FillModelName, notes: string[]): FillModelName | null {
  if (fitted + forecast < LEAST) {
    notes.push(`the fill model stays "${fallback}": too few resting orders (${fitted + forecast} of ${LEAST}).`);
    return null;
  }
  const [best] = models;
  const usual = models.find(({ model }) => model === fallback)!;
  if (!(best!.fitScore < usual.fitScore)) {
    notes.push(`the fill model stays "${fallback}": no other fits better.`);
    return null;
  }
  if (best!.score > usual.score)
    notes.push(`"${best!.model}" fits best, but "${fallback}" forecast the other orders better: take more sessions.`);
  return best!.model;
}

/** Writes the configuration, and the delays beside it. @throws Failure when a file cannot be written */
export function writeCalibration(file: string, { chosen, sessions }: Calibration): readonly string[] {
  const delays = `${basename(file).replace(/\.ya?ml$/, '')}.delays.json`;
  const lines = [
    `# Fitted to ${sessions === 1 ? 'a recorded session' : `${sessions} recorded sessions`} by \`tickwright calibrate\`. Paths are relative to this file.`,
    'simulation:',
    ...(chosen.fillModel === null ? [] : [`  fillModel: ${chosen.fillModel}`]),
    ...(chosen.latency === null ? [] : ['  latency:', '    model: measured', `    file: ${JSON.stringify(delays)}`]),
    ...(chosen.fillModel === null && chosen.latency === null ? ['  {}'] : []),
  ];
  const written = [file];
  try {
    if (chosen.latency !== null) {
      const path = join(dirname(file), delays);
      writeFileSync(path, `${JSON.stringify(chosen.latency)}\n`);
      written.push(path);
    }
    writeFileSync(file, `${lines.join('\n')}\n`);
  } catch (error) {
    throw new Failure(
      'report-unwritable',
      { what: `the calibration cannot be written: ${(error as Error).message}`, where: file },
      { cause: error },
    );
  }
  return written;
}
