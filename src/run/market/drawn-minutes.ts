/** The drawn past of a synthetic market, by instrument. Each is drawn when it is first needed, in short turns of the event loop. */
import { setImmediate } from 'node:timers/promises';
import type { DrawnBars, PastDrawing } from '../../tape/synth/synth-past.ts';

/** Bars drawn in a turn: some 3 ms. */
const BARS_A_TURN = 500;

export class DrawnMinutes {
  readonly #begin: (instrument: number) => Pick<PastDrawing, 'step'>;
  readonly #bars = new Map<number, DrawnBars>();
  readonly #waiting = new Map<number, Promise<void>>();
  /** The newest drawing: they are made one after another. */
  #last: Promise<void> = Promise.resolve();

  constructor(begin: (instrument: number) => Pick<PastDrawing, 'step'>) {
    this.#begin = begin;
  }

  /** Resolves once the bars of this instrument are drawn; null if they are. */
  prepare(instrument: number): Promise<void> | null {
    if (this.#bars.has(instrument)) return null;
    const waiting = this.#waiting.get(instrument);
    if (waiting !== undefined) return waiting;
    const drawing = this.#last.then(() => this.#inTurns(instrument));
    this.#waiting.set(instrument, drawing);
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  /** The bars of this instrument. If they are not drawn yet, that happens now. */
  of(instrument: number): DrawnBars {
    const bars = this.#bars.get(instrument) ?? this.#begin(instrument).step(Infinity)!;
    this.#bars.set(instrument, bars);
    return bars;
  }

  async #inTurns(instrument: number): Promise<void> {
    try {
      if (this.#bars.has(instrument)) return;
      const drawing = this.#begin(instrument);
      let bars = drawing.step(BARS_A_TURN);
      while (bars === null) {
        await setImmediate();
        bars = drawing.step(BARS_A_TURN);
      }
      this.#bars.set(instrument, bars);
    } finally {
      this.#waiting.delete(instrument);
    }
  }
}
