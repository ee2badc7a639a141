/**
 * Integers between bounds, and rows `lo ≤ Σ aᵢ·xᵢ ≤ hi` between them. Gives the least and the greatest value of a variable over all
 * solutions. Bounds propagation (each row narrows its variables until nothing changes) and, within a budget of steps, a search that halves
 * the narrowest open variable. A range that the budget does not settle is too wide, never too narrow.
 *
 * A variable is a number from 0. A negative number stands for a constant, see `constant`.
 */

/** One term of a row: factor and variable, or constant. */
export type Term = readonly [factor: number, variable: number];

/** What is known of one variable. `isExact`: both ends are values of solutions. */
export interface Range {
  readonly lo: number;
  readonly hi: number;
  readonly isExact: boolean;
}

const YES = 1;
const NO = 0;
const UNDECIDED = -1;

/** What stands for this value, 0 or more, in place of a variable. */
export function constant(value: number): number {
  return -1 - value;
}

export class IntegerSystem {
  #lo: number[] | Float64Array = [];
  #hi: number[] | Float64Array = [];
  readonly #chosen: number[] = [];
  /** The terms of all rows one after another, where each row begins, and its bounds. */
  readonly #variables: number[] = [];
  readonly #factors: number[] = [];
  readonly #begins: number[] = [0];
  readonly #rowLo: number[] = [];
  readonly #rowHi: number[] = [];
  /** The rows of all variables one after another, and where those of each variable begin. */
  #rowsOf = new Int32Array(0);
  #rowsFrom = new Int32Array(0);
  #isQueued = new Uint8Array(0);
  #isPossible = true;
  #steps = 0;
  /** Terms that were looked at: what a solution costs. */
  work = 0;
  /** Least and greatest values in the solutions that were met. */
  #seenLo: Float64Array | null = null;
  #seenHi: Float64Array | null = null;
  /** The last solution. */
  #last: Float64Array | null = null;

  /**
   * Adds a variable with its bounds, or finds the constant. Returns what stands for it. `isFree`: the search need not choose it, because its
   * least value fits whenever the bounds of all rows agree and all other variables are chosen.
   */
  variable(lo: number, hi: number, isFree = false): number {
    if (lo > hi) this.#isPossible = false;
    if (lo >= hi) return constant(lo);
    const at = this.#lo.length;
    if (!isFree) this.#chosen.push(at);
    (this.#hi as number[]).push(hi);
    (this.#lo as number[]).push(lo);
    return at;
  }

  /** Adds the row lo ≤ Σ factor·variable ≤ hi. */
  row(terms: readonly Term[], lo: number, hi: number): void {
    let known = 0;
    const from = this.#variables.length;
    for (const [factor, variable] of terms) {
      if (variable < 0) known += factor * (-1 - variable);
      else {
        this.#variables.push(variable);
        this.#factors.push(factor);
      }
    }
    if (this.#variables.length > from) return this.#close(lo - known, hi - known);
    if (known < lo || known > hi) this.#isPossible = false;
  }

  /** Adds lower + more ≤ upper. */
  atMost(lower: number, upper: number, more = 0): void {
    if (lower === upper && more <= 0) return;
    let known = more;
    const from = this.#variables.length;
    if (lower < 0) known += -1 - lower;
    else {
      this.#variables.push(lower);
      this.#factors.push(1);
    }
    if (upper < 0) known -= -1 - upper;
    else {
      this.#variables.push(upper);
      this.#factors.push(-1);
    }
    if (this.#variables.length > from) return this.#close(-Infinity, -known);
    if (known > 0) this.#isPossible = false;
  }

  #close(lo: number, hi: number): void {
    this.#rowLo.push(lo);
    this.#rowHi.push(hi);
    this.#begins.push(this.#variables.length);
  }

  /** Narrows all bounds; no variable and no row comes after. False if there is no solution. */
  settle(): boolean {
    this.#lo = Float64Array.from(this.#lo);
    this.#hi = Float64Array.from(this.#hi);
    this.#index();
    this.#isPossible &&= this.#propagate(this.#rowLo.map((_, at) => at));
    return this.#isPossible;
  }

  #index(): void {
    const from = new Int32Array(this.#lo.length + 1);
    for (const variable of this.#variables) from[variable + 1]!++;
    for (let i = 0; i < this.#lo.length; i++) from[i + 1]! += from[i]!;
    const next = from.slice();
    const rows = new Int32Array(this.#variables.length);
    for (let row = 0; row < this.#rowLo.length; row++)
      for (let k = this.#begins[row]!; k < this.#begins[row + 1]!; k++) rows[next[this.#variables[k]!]!++] = row;
    this.#rowsFrom = from;
    this.#rowsOf = rows;
    this.#isQueued = new Uint8Array(this.#rowLo.length);
  }

  lo(variable: number): number {
    return variable < 0 ? -1 - variable : this.#lo[variable]!;
  }

  hi(variable: number): number {
    return variable < 0 ? -1 - variable : this.#hi[variable]!;
  }

  /** True if a solution exists, false if none does, null if `budget` steps do not tell. Call `settle` first. */
  isSolvable(budget: number): boolean | null {
    if (!this.#isPossible) return false;
    this.#steps = budget;
    const found = this.#search();
    return found === UNDECIDED ? null : found === YES;
  }

  /**
   * Least and greatest value of `variable` over all solutions. Call `settle` and `isSolvable` first. Without a budget they are those that
   * the rows name one by one.
   */
  range(variable: number, budget: number): Range {
    let isExact = true;
    let [lo, hi] = [this.lo(variable), this.hi(variable)];
    if (budget === 0 || lo === hi) return { lo, hi, isExact: lo === hi };
    // The ends by halving. A solution that was met on the way says more than the middle that was asked for.
    while (lo < (this.#seenLo?.[variable] ?? hi)) {
      const mid = lo + Math.floor(((this.#seenLo?.[variable] ?? hi) - lo) / 2);
      const found = this.#try(variable, lo, mid, budget);
      if (found === NO) lo = mid + 1;
      else if (found === UNDECIDED) {
        isExact = false;
        break;
      }
    }
    while ((this.#seenHi?.[variable] ?? lo) < hi) {
      const mid = hi - Math.floor((hi - (this.#seenHi?.[variable] ?? lo)) / 2);
      const found = this.#try(variable, mid, hi, budget);
      if (found === NO) hi = mid - 1;
      else if (found === UNDECIDED) {
        isExact = false;
        break;
      }
    }
    return { lo, hi, isExact };
  }

  #met(solution: Float64Array): void {
    this.#last = solution;
    this.#seenLo ??= solution.slice();
    this.#seenHi ??= solution.slice();
    for (let i = 0; i < solution.length; i++) {
      if (solution[i]! < this.#seenLo[i]!) this.#seenLo[i] = solution[i]!;
      if (solution[i]! > this.#seenHi[i]!) this.#seenHi[i] = solution[i]!;
    }
  }

  #try(variable: number, lo: number, hi: number, budget: number): number {
    this.#steps = budget;
    const kept = [this.#lo, this.#hi] as const;
    this.#lo = kept[0].slice();
    this.#hi = kept[1].slice();
    this.#lo[variable] = Math.max(lo, this.#lo[variable]!);
    this.#hi[variable] = Math.min(hi, this.#hi[variable]!);
    const found = this.#propagate(this.#queueOf(variable)) ? this.#search() : NO;
    [this.#lo, this.#hi] = kept;
    return found;
  }

  #queueOf(variable: number): number[] {
    return [...this.#rowsOf.subarray(this.#rowsFrom[variable], this.#rowsFrom[variable + 1])];
  }

  #search(): number {
    if (this.#steps-- <= 0) return UNDECIDED;
    const at = this.#narrowest();
    if (at < 0) {
      this.#met(this.#lo as Float64Array);
      return YES;
    }
    const kept = [this.#lo, this.#hi] as const;
    const lo = this.#lo[at]!;
    const hi = this.#hi[at]!;
    // The last solution is near: its value first, then what is below and above.
    const value = Math.min(hi, Math.max(lo, this.#last?.[at] ?? lo));
    let answer = NO;
    for (const [from, to] of [
      [value, value],
      [lo, value - 1],
      [value + 1, hi],
    ] as const) {
      if (from > to) continue;
      this.#lo = kept[0].slice();
      this.#hi = kept[1].slice();
      this.#lo[at] = from;
      this.#hi[at] = to;
      const found = this.#propagate(this.#queueOf(at)) ? this.#search() : NO;
      [this.#lo, this.#hi] = kept;
      if (found === YES) return YES;
      if (found === UNDECIDED) answer = UNDECIDED;
    }
    return answer;
  }

  /** The open variable with the fewest values; −1 if all are decided. */
  #narrowest(): number {
    let at = -1;
    let width = Infinity;
    for (const i of this.#chosen) {
      const open = this.#hi[i]! - this.#lo[i]!;
      if (open > 0 && open < width) {
        width = open;
        at = i;
      }
    }
    return at;
  }

  /** Narrows the variables of these rows, and of all rows that share a narrowed variable. False if a variable has no value left. */
  #propagate(queue: number[]): boolean {
    this.#isQueued.fill(0);
    for (const at of queue) this.#isQueued[at] = 1;
    for (let head = 0; head < queue.length; head++) {
      const at = queue[head]!;
      this.#isQueued[at] = 0;
      if (!this.#narrow(at, queue)) return false;
    }
    return true;
  }

  #narrow(at: number, queue: number[]): boolean {
    const factors = this.#factors;
    const variables = this.#variables;
    const from = this.#begins[at]!;
    const to = this.#begins[at + 1]!;
    const lo = this.#rowLo[at]!;
    const hi = this.#rowHi[at]!;
    let least = 0;
    let most = 0;
    this.work += to - from;
    for (let i = from; i < to; i++) {
      const factor = factors[i]!;
      const low = factor * this.#lo[variables[i]!]!;
      const high = factor * this.#hi[variables[i]!]!;
      least += factor > 0 ? low : high;
      most += factor > 0 ? high : low;
    }
    if (least > hi || most < lo) return false;
    if (least >= lo && most <= hi) return true;
    for (let i = from; i < to; i++) {
      const variable = variables[i]!;
      const factor = factors[i]!;
      const low = this.#lo[variable]!;
      const high = this.#hi[variable]!;
      const size = Math.abs(factor);
      // What the others leave for this term, from its least value up and from its greatest down.
      const above = Math.floor((hi - least) / size);
      const below = Math.floor((most - lo) / size);
      const newLow = Math.max(low, high - (factor > 0 ? below : above));
      const newHigh = Math.min(high, low + (factor > 0 ? above : below));
      if (newLow > newHigh) return false;
      if (newLow === low && newHigh === high) continue;
      least += factor > 0 ? factor * (newLow - low) : factor * (newHigh - high);
      most += factor > 0 ? factor * (newHigh - high) : factor * (newLow - low);
      this.#lo[variable] = newLow;
      this.#hi[variable] = newHigh;
      for (let k = this.#rowsFrom[variable]!; k < this.#rowsFrom[variable + 1]!; k++) {
        const other = this.#rowsOf[k]!;
        if (this.#isQueued[other] !== 0) continue;
        this.#isQueued[other] = 1;
        queue.push(other);
      }
    }
    return true;
  }
}
