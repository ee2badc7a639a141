/** Reads the fills of the past from the bot, page by page from the newest, so that the bot is never busy with many at once. */
import { isRecord } from '../../../base/fields.ts';
import type { FillRow } from '../../../control/changes.ts';
import { FILLS_KEPT, type ReadModel } from '../../../monitor/model/read-model.ts';

const PAUSE_MS = 20;

/** A page of the bot's fills, newest first. `next` is the `before` of the next page, null on the last. */
export interface FillsPage {
  readonly fills: readonly FillRow[];
  readonly next: number | null;
}

export class FillHistory {
  readonly #ask: (before: number | null) => Promise<unknown>;
  readonly #model: ReadModel;
  /** The model has every fill up to this id that it keeps. */
  #readTo = 0;
  #reading: Promise<void> = Promise.resolve();

  /** `ask` gives the FillsPage before an id, or the newest. Everything else is no answer. */
  constructor(model: ReadModel, ask: (before: number | null) => Promise<unknown>) {
    this.#model = model;
    this.#ask = ask;
  }

  /** Adds the fills that the model lacks: those since the last whole reading. Call it after each reset of the stream. Rejects as `ask` does. */
  read(): Promise<void> {
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#readBack());
    return this.#reading;
  }

  /** Ends without an answer: the next reset begins again. */
  async #readBack(): Promise<void> {
    let [before, left, newest]: [number | null, number, number | null] = [null, FILLS_KEPT, null];
    do {
      const page = await this.#ask(before);
      if (!isPage(page)) return;
      newest ??= page.fills[0]?.id ?? 0;
      // Another journal: ids begin again.
      if (newest < this.#readTo) {
        this.#readTo = 0;
        this.#model.fills.clear();
      }
      for (const fill of page.fills) this.#model.fills.put(fill);
      left -= page.fills.length;
      before = page.fills.some(({ id }) => id <= this.#readTo) ? null : page.next;
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSE_MS);
      });
    } while (before !== null && left > 0);
    this.#readTo = newest;
  }
}

function isPage(page: unknown): page is FillsPage {
  if (!isRecord(page)) return false;
  const { fills, next } = page;
  const isFill = (fill: unknown): boolean => isRecord(fill) && Number.isInteger(fill['id']);
  return Array.isArray(fills) && fills.every(isFill) && (next === null || Number.isInteger(next));
}
