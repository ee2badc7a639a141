/**
 * Activity and volatility of a market: a product of factors that are each high or low for a while, from seconds to days (Calvet and
 * Fisher, "How to forecast long-run volatility: regime switching and the estimation of multifractal processes", 2004). It gives volatility
 * its long memory and returns their fat tails, and uses no function that engines round differently. @hot
 */
import type { Random } from '../../base/random.ts';
import { exponential, normal } from './chance.ts';

/** Mean time a factor lasts, milliseconds. */
const LASTS = [20_000, 120_000, 720_000, 4_320_000, 25_920_000, 155_520_000];
const HIGH = 1.3;
const LOW = 2 - HIGH;
const RATE = LASTS.reduce((sum, ms) => sum + 1 / ms, 0);

/** Activity of a UTC hour against the mean, learnt from a month of one-minute bars; midpoints of the hours, straight lines between. */
const HOURS = [
  0.92, 0.7, 0.67, 0.84, 0.73, 0.65, 0.6, 0.65, 0.97, 0.8, 0.94, 0.91, 0.95, 1.17, 1.48, 1.38, 1.26, 1.19, 1.2, 1.34, 1.35, 1.15, 1.1, 0.94,
];
const HOUR = 3_600_000;

export class Activity {
  /** Now, against a mean of 1. */
  level = 1;

  readonly #random: Random;
  readonly #season: boolean;
  readonly #isHigh = new Uint8Array(LASTS.length);
  #product = 1;
  #turnAt: number;

  constructor(random: Random, start: number, season: boolean) {
    this.#random = random;
    this.#season = season;
    for (let i = 0; i < LASTS.length; i++) this.#isHigh[i] = random.uint32() >>> 31;
    this.#turnAt = start + exponential(random) / RATE;
    this.#multiply();
    this.level = this.#product * (season ? hourly(start) : 1);
  }

  /** Goes on to `time`. */
  advance(time: number): void {
    while (time >= this.#turnAt) this.#turn();
    this.level = this.#season ? this.#product * hourly(time) : this.#product;
  }

  #turn(): void {
    const random = this.#random;
    let left = random.uniform() * RATE;
    let i = 0;
    while (i < LASTS.length - 1 && left >= 1 / LASTS[i]!) left -= 1 / LASTS[i++]!;
    this.#isHigh[i] = random.uint32() >>> 31;
    this.#multiply();
    this.#turnAt += exponential(random) / RATE;
  }

  #multiply(): void {
    let product = 1;
    for (let i = 0; i < LASTS.length; i++) product *= this.#isHigh[i] === 1 ? HIGH : LOW;
    this.#product = product;
  }
}

function hourly(time: number): number {
  const at = time / HOUR - 0.5;
  const hour = Math.floor(at);
  const before = HOURS[((hour % 24) + 24) % 24]!;
  return before + (HOURS[(((hour + 1) % 24) + 24) % 24]! - before) * (at - hour);
}

/** Mean time between two jumps of the common price, ms. */
const JUMP_EVERY = 1000;

/** What moves all symbols at once: jumps of a common price, whose squares add up to the square of `deviation` a second. */
export class CommonFactor {
  /** The common price: a sum of returns. */
  level = 0;

  readonly #random: Random;
  readonly #activity: Activity;
  readonly #deviation: number;
  #jumpAt: number;

  constructor(random: Random, start: number, deviation: number, season: boolean) {
    this.#random = random;
    this.#activity = new Activity(random.fork(), start, season);
    this.#deviation = deviation;
    this.#jumpAt = start + exponential(random) * JUMP_EVERY;
  }

  /** Goes on to `time`. */
  advance(time: number): void {
    while (time >= this.#jumpAt) {
      const random = this.#random;
      this.#activity.advance(this.#jumpAt);
      // A normal deviate times another's size: rarely large, mostly small.
      const size = Math.abs(normal(random)) * normal(random);
      this.level += this.#deviation * this.#activity.level * size;
      this.#jumpAt += exponential(random) * JUMP_EVERY;
    }
  }
}
