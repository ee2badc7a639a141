/** Latency models: how long one message takes from the bot to the venue, or back. To add one, add a row to the table. */
import { exactPercent } from '../../base/text/percent.ts';
import type { Random } from '../../base/random.ts';

export interface LatencyModel {
  /** Milliseconds that the next message takes: whole, at least 0. `ms` is the configured time of its direction. */
  next(ms: number): number;
}

/** The configured terms. */
export interface LatencyTerms {
  readonly jitterMs: number;
  /** Share of the messages that are late, 0 to 1. */
  readonly spikeChance: number;
  readonly spikeMs: number;
  /** Measured one-way delays in whole milliseconds. */
  readonly delays: readonly number[];
}

/** Measured one-way delays in whole milliseconds: bot to venue, and back. */
export interface WayDelays {
  readonly up: readonly number[];
  readonly down: readonly number[];
}

/** By kind of message; `reads` is null if they take as long as orders. */
export interface Delays {
  readonly orders: WayDelays;
  readonly reads: WayDelays | null;
}

interface Row {
  readonly doc: string;
  /** The note of the report on the model. `times` is the beginning of its sentence: how long an order and its answer take as configured. */
  readonly note: (times: string, terms: Omit<LatencyTerms, 'delays'>) => string;
  /** null for the constant time, which costs nothing. Each direction has a model and a generator of its own. */
  readonly make: (terms: LatencyTerms, random: Random) => LatencyModel | null;
}

export const LATENCY_MODELS = {
  constant: { doc: 'always upMs and downMs', note: (times) => `${times}, always the same.`, make: () => null },
  /** ms + U, with U uniform on 0 … jitterMs. */
  jitter: {
    doc: 'up to jitterMs more, uniformly',
    note: (times, { jitterMs }) => `${times}, each with up to ${jitterMs} ms more.`,
    make: ({ jitterMs }, random) => ({ next: (ms) => ms + random.below(jitterMs + 1) }),
  },
  /** ms + E, with E exponential of mean jitterMs, rounded: a shifted exponential. Most messages are quick and few are very late. */
  exponential: {
    doc: 'jitterMs more on average, exponentially',
    note: (times, { jitterMs }) => `${times}, each with ${jitterMs} ms more on average, exponentially distributed.`,
    make: ({ jitterMs }, random) => ({ next: (ms) => ms + Math.round(-jitterMs * Math.log(1 - random.uniform())) }),
  },
  /** ms + U + S, with S = spikeMs in a share spikeChance of the messages, else 0. */
  spikes: {
    doc: 'as jitter, and spikeMs more for a share spikeChance of the messages',
    note: (times, { jitterMs, spikeMs, spikeChance }) =>
      `${times}, each with up to ${jitterMs} ms more, and ${spikeMs} ms more in ${exactPercent(spikeChance)} of the messages.`,
    make: ({ jitterMs, spikeChance, spikeMs }, random) => ({
      next: (ms) => ms + random.below(jitterMs + 1) + (random.uniform() < spikeChance ? spikeMs : 0),
    }),
  },
  /** The empirical distribution: each delay of the file is as likely as any other. */
  measured: {
    doc: 'a delay of the file, drawn at random, in place of upMs and downMs',
    note: () => 'an order and its answer take delays drawn from the measured ones, each apart from the last.',
    make: ({ delays }, random) => ({ next: () => delays[random.below(delays.length)]! }),
  },
} as const satisfies Readonly<Record<string, Row>>;

export type LatencyModelName = keyof typeof LATENCY_MODELS;
