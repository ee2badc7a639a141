/** What is to happen, by time; of what happens together, what was said first. */
export interface Due {
  readonly at: number;
  readonly no: number;
}

export class Heap<T extends Due> {
  readonly #items: T[] = [];

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let k = items.length;
    items.push(item);
    while (k > 0) {
      const up = (k - 1) >> 1;
      if (!isBefore(item, items[up]!)) break;
      items[k] = items[up]!;
      k = up;
    }
    items[k] = item;
  }

  pop(): T {
    const items = this.#items;
    const first = items[0]!;
    const last = items.pop()!;
    if (items.length === 0) return first;
    let k = 0;
    for (;;) {
      let down = 2 * k + 1;
      if (down >= items.length) break;
      if (down + 1 < items.length && isBefore(items[down + 1]!, items[down]!)) down++;
      if (!isBefore(items[down]!, last)) break;
      items[k] = items[down]!;
      k = down;
    }
    items[k] = last;
    return first;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.no < b.no);
}
