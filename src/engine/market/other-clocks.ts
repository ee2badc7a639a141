/**
 * Clocks that answers show beside the accepted one (market/venue-offset.ts), until one of them has proven that it is the venue's: the venue's
 * clock was set. A cache that repeats an answer shows a time that does not run. A server with another clock among several shows one that
 * the others contradict.
 */

/** Answers of one clock agree this exactly beside the time that they took. */
const SAME_MS = 250;

/** A clock that runs may seem to be late by this much. */
const LAG_MS = 500;

/** A clock is accepted after so many answers of so many kinds, which show it run for so long. */
const ANSWERS = 3;
const KINDS = 2;
const RUNS_MS = 1_000;
/** The same without a public answer: the venue may have separate servers for private ones. It is enough to read by, and not to open. */
const RUNS_PRIVATE_MS = 30_000;
/** While both answer, the other one is accepted if its answers are so many times more, and so many more. Older ones count less. */
const MAJORITY = 1.25;
const MARGIN = 5;
const VOTES_MOST = 64;
/** Other clocks that are watched at once. */
const CLOCKS = 4;

/** The time that answers of one group, public or private, have shown of another clock while it ran with ours. */
class Run {
  #at = 0;
  #time = 0;
  #lastAt = 0;
  #lastTime = 0;

  /** False if the time has not advanced: a cache repeats an answer. A time that advanced too little begins the run again. */
  take(venueTime: number, now: number): boolean {
    if (this.#time > 0 && venueTime <= this.#lastTime) return false;
    if (this.#time === 0 || venueTime - this.#time < now - this.#at - LAG_MS) {
      this.#at = now;
      this.#time = venueTime;
    }
    this.#lastAt = now;
    this.#lastTime = venueTime;
    return true;
  }

  forget(): void {
    this.#time = 0;
  }

  /** True if it has advanced with our clock for at least `ms`. */
  isLong(ms: number): boolean {
    return this.#time > 0 && this.#lastAt - this.#at >= ms;
  }
}

/** A clock that answers show beside the accepted one. */
class OtherClock {
  /** Answers and their kinds since a private answer last fitted the accepted clock. */
  readonly #kinds = new Set<string>();
  readonly #ofPublic = new Run();
  readonly #ofPrivate = new Run();
  #answers = 0;
  /** The same from the beginning; `votes` is halved now and then. */
  readonly #allKinds = new Set<string>();
  readonly #all = new Run();
  #hasPublic = false;
  votes = 0;
  #least: number;
  #most: number;

  constructor(least: number, most: number) {
    this.#least = least;
    this.#most = most;
  }

  get offset(): number {
    return (this.#least + this.#most) / 2;
  }

  /** True if an answer may have this clock. */
  isLike(least: number, most: number): boolean {
    return least <= this.#most + SAME_MS && most >= this.#least - SAME_MS;
  }

  /** Narrows the offset by an answer; false if that has another one. It never widens: answers that fall behind soon have another one. */
  fits(least: number, most: number): boolean {
    if (!this.isLike(least, most)) return false;
    const low = Math.max(this.#least, least);
    const high = Math.min(this.#most, most);
    if (low > high) return true;
    this.#least = low;
    this.#most = high;
    return true;
  }

  take(kind: string, isPublic: boolean, venueTime: number, now: number): void {
    if (!(isPublic ? this.#ofPublic : this.#ofPrivate).take(venueTime, now)) return;
    this.#answers++;
    this.#kinds.add(kind);
    this.#all.take(venueTime, now);
    this.#allKinds.add(kind);
    this.#hasPublic ||= isPublic;
    this.votes++;
  }

  /** The accepted clock answers, so it has not moved. A public answer leaves open what the servers of private ones show. */
  contradicted(isPublic: boolean): void {
    this.#ofPublic.forget();
    if (isPublic) return;
    this.#ofPrivate.forget();
    this.#answers = 0;
    this.#kinds.clear();
  }

  /** True if its answers, public ones among them, are enough to accept it, against so many votes for the accepted one. */
  isProven(against: number): boolean {
    if (this.#answers >= ANSWERS && this.#kinds.size >= KINDS && this.#ofPublic.isLong(RUNS_MS)) return true;
    return this.votes > MAJORITY * against + MARGIN && this.#hasPublic && this.#allKinds.size >= KINDS && this.#all.isLong(RUNS_MS);
  }

  /** True if all private answers have had it for long, whatever public ones show. */
  get isOfPrivate(): boolean {
    return this.#answers >= ANSWERS && this.#kinds.size >= KINDS && this.#ofPrivate.isLong(RUNS_PRIVATE_MS);
  }
}

export class OtherClocks {
  /** True if public answers showed the clock that was proven last. */
  wasPublic = false;
  readonly #clocks: OtherClock[] = [];
  /** Answers of the accepted clock; halved now and then, with those of the others. */
  #votes = 0;

  /**
   * An answer whose offset is between `least` and `most` fits the accepted clock. One that may have another clock as well, because it was
   * long on its way and the two are near each other, contradicts none.
   */
  contradicted(isPublic: boolean, least: number, most: number): void {
    let isEither = false;
    for (const clock of this.#clocks) {
      if (clock.isLike(least, most)) isEither = true;
      else clock.contradicted(isPublic);
    }
    if (isEither) return;
    if (++this.#votes < VOTES_MOST) return;
    this.#votes /= 2;
    for (const clock of this.#clocks) clock.votes /= 2;
  }

  /** Takes an answer of another clock, whose offset is between `least` and `most`. The offset of the clock if this proves it, else NaN. */
  proven(kind: string, isPublic: boolean, venueTime: number, least: number, most: number, now: number): number {
    const clock = this.#clocks.find((one) => one.fits(least, most)) ?? this.#begun(new OtherClock(least, most));
    clock.take(kind, isPublic, venueTime, now);
    this.wasPublic = clock.isProven(this.#votes);
    if (!this.wasPublic && !clock.isOfPrivate) return Number.NaN;
    this.#clocks.length = 0;
    this.#votes = 0;
    return clock.offset;
  }

  /** Another clock is watched, instead of the one with the fewest answers if they are too many. */
  #begun(clock: OtherClock): OtherClock {
    const clocks = this.#clocks;
    if (clocks.length === CLOCKS) {
      const fewest = Math.min(...clocks.map(({ votes }) => votes));
      clocks.splice(
        clocks.findIndex(({ votes }) => votes === fewest),
        1,
      );
    }
    clocks.push(clock);
    return clock;
  }
}
