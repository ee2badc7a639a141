/** What a measurement of the live path counts: times of parts, and figures of slices. */

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Sums the time that the recorder takes, without the parts of the bot that it calls. */
export class Stopwatch {
  ms = 0;

  time(work: () => void): void {
    const from = performance.now();
    work();
    this.ms += performance.now() - from;
  }

  leaveOut(work: () => void): void {
    const from = performance.now();
    work();
    this.ms -= performance.now() - from;
  }
}

/** What slices without recording, or those with it, measured. */
export class Slices {
  readonly orders: number[] = [];
  /** CPU of the process for each answer, one figure per slice. */
  readonly cpuUs: number[] = [];

  get cpu(): number {
    return Math.round(quantile(this.cpuUs, 0.5) * 10) / 10;
  }
}
