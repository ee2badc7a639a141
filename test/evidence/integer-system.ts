/**
 * Integers between bounds, and rows `lo ≤ Σ aᵢ·xᵢ ≤ hi` between them. Gives the least and the greatest value of a variable over all
 * solutions. Bounds propagation (each row narrows its variables until nothing changes) and, within a budget of steps, a search that halves
 * the narrowest open variable. A range that the budget does not settle is too wide, never too narrow.
 */

interface Row {
  readonly variables: readonly number[];
  readonly factors: readonly number[];
  readonly lo: number;
  readonly hi: number;
}

/** One term of a row: factor and variable. */
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

export class IntegerSystem {
  #lo: number[] = [];
  #hi: number[] = [];
  readonly #chosen: number[] = [];
  readonly #rows: Row[] = [];
  readonly #rowsOf: number[][] = [];
  #isPossible = true;
  #steps = 0;
  /** Least and greatest values in the solutions that were met. */
  #seenLo: number[] = [];
  #seenHi: number[] = [];
  /** The last solution. */
  #last: readonly number[] = [];

  /**
   * Adds a variable with its bounds. Returns its number. `isFree`: the search need not choose it, because its least value fits whenever the
   * bounds of all rows agree and all other variables are chosen.
   */
  variable(lo: number, hi: number, isFree = false): number {
    if (!isFree) this.#chosen.push(this.#lo.length);
    this.#rowsOf.push([]);
    this.#hi.push(hi);
    if (lo > hi) this.#isPossible = false;
    return this.#lo.push(lo) - 1;
  }

  /** Adds the row lo ≤ Σ factor·variable ≤ hi. */
  row(terms: readonly Term[], lo: number, hi: number): void {
    const at = this.#rows.length;
    this.#rows.push({ factors: terms.map(([factor]) => factor), variables: terms.map(([, variable]) => variable), lo, hi });
    for (const [, variable] of terms) this.#rowsOf[variable]!.push(at);
  }

  /** Adds lower ≤ upper. */
  atMost(lower: number, upper: number): void {
    this.row([[1, lower], [-1, upper]], -Infinity, 0); // prettier-ignore
  }

  /** Narrows all bounds. False if there is no solution. */
  settle(): boolean {
    this.#isPossible &&= this.#propagate(this.#rows.map((_, at) => at));
    return this.#isPossible;
  }

  lo(variable: number): number {
    return this.#lo[variable]!;
  }

  hi(variable: number): number {
    return this.#hi[variable]!;
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
    let lo = this.#lo[variable]!;
    let hi = this.#hi[variable]!;
    if (budget === 0) return { lo, hi, isExact: lo === hi };
    // The ends by halving. A solution that was met on the way says more than the middle that was asked for.
    while (lo < (this.#seenLo[variable] ?? hi)) {
      const mid = lo + Math.floor(((this.#seenLo[variable] ?? hi) - lo) / 2);
      const found = this.#try(variable, lo, mid, budget);
      if (found === NO) lo = mid + 1;
      else if (found === UNDECIDED) {
        isExact = false;
        break;
      }
    }
    while ((this.#seenHi[variable] ?? lo) < hi) {
      const mid = hi - Math.floor((hi - (this.#seenHi[variable] ?? lo)) / 2);
      const found = this.#try(variable, mid, hi, budget);
      if (found === NO) hi = mid - 1;
      else if (found === UNDECIDED) {
        isExact = false;
        break;
      }
    }
    return { lo, hi, isExact };
  }

  #met(solution: readonly number[]): void {
    this.#last = solution;
    if (this.#seenLo.length === 0) {
      this.#seenLo = [...solution];
      this.#seenHi = [...solution];
      return;
    }
    for (let i = 0; i < solution.length; i++) {
      if (solution[i]! < this.#seenLo[i]!) this.#seenLo[i] = solution[i]!;
      if (solution[i]! > this.#seenHi[i]!) this.#seenHi[i] = solution[i]!;
    }
  }

  #try(variable: number, lo: number, hi: number, budget: number): number {
    this.#steps = budget;
    const kept = [this.#lo, this.#hi] as const;
    this.#lo = [...this.#lo];
    this.#hi = [...this.#hi];
    this.#lo[variable] = Math.max(lo, this.#lo[variable]!);
    this.#hi[variable] = Math.min(hi, this.#hi[variable]!);
    const found = this.#propagate([...this.#rowsOf[variable]!]) ? this.#search() : NO;
    [this.#lo, this.#hi] = kept;
    return found;
  }

  #search(): number {
    if (this.#steps-- <= 0) return UNDECIDED;
    const at = this.#narrowest();
    if (at < 0) {
      this.#met(this.#lo);
      return YES;
    }
    const kept = [this.#lo, this.#hi] as const;
    const lo = this.#lo[at]!;
    const hi = this.#hi[at]!;
    // The last solution is near: its value first, then what is below and above.
    const value = Math.min(hi, Math.max(lo, this.#last[at] ?? lo));
    let answer = NO;
    for (const [from, to] of [
      [value, value],
      [lo, value - 1],
      [value + 1, hi],
    ] as const) {
      // prettier-ignore
      if (from > to) continue;
      this.#lo = [...kept[0]];
      this.#hi = [...kept[1]];
      this.#lo[at] = from;
      this.#hi[at] = to;
      const found = this.#propagate([...this.#rowsOf[at]!]) ? this.#search() : NO;
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
    const isQueued = new Uint8Array(this.#rows.length);
    for (const at of queue) isQueued[at] = 1;
    for (let head = 0; head < queue.length; head++) {
      const at = queue[head]!;
      isQueued[at] = 0;
      const { variables, factors, lo, hi } = this.#rows[at]!;
      let least = 0;
      let most = 0;
      for (let i = 0; i < variables.length; i++) {
        const factor = factors[i]!;
        const low = factor * this.#lo[variables[i]!]!;
        const high = factor * this.#hi[variables[i]!]!;
        least += factor > 0 ? low : high;
        most += factor > 0 ? high : low;
      }
      if (least > hi || most < lo) return false;
      if (least >= lo && most <= hi) continue;
      for (let i = 0; i < variables.length; i++) {
        const variable = variables[i]!;
        const factor = factors[i]!;
        const low = this.#lo[variable]!;
        const high = this.#hi[variable]!;
        const size = Math.abs(factor);
        // What the others leave for this term, from its least value up and from its greatest down.
        const above = least === -Infinity ? Infinity : Math.floor((hi - least) / size);
        const below = most === Infinity ? Infinity : Math.floor((most - lo) / size);
        const newLow = Math.max(low, high - (factor > 0 ? below : above));
        const newHigh = Math.min(high, low + (factor > 0 ? above : below));
        if (newLow > newHigh) return false;
        if (newLow === low && newHigh === high) continue;
        least += factor > 0 ? factor * (newLow - low) : factor * (newHigh - high);
        most += factor > 0 ? factor * (newHigh - high) : factor * (newLow - low);
        this.#lo[variable] = newLow;
        this.#hi[variable] = newHigh;
        for (const other of this.#rowsOf[variable]!)
          if (isQueued[other] === 0) {
            isQueued[other] = 1;
            queue.push(other);
          }
      }
    }
    return true;
  }
}
