/**
 * The opening orders that no list of the venue shows: those that wait for a trigger price, and orders of a spot market. The bot names each before
 * its command leaves, in a line of JSON on its socket and in its running mark. A line names one that is new or has changed, or one that has ended,
 * or all of them.
 */

export interface UnlistedOpen {
  readonly seq: number;
  /** Kind of its command: PLACE_TRIGGER or PLACE_SPOT. */
  readonly kind: number;
  readonly symbol: string;
  readonly clientId: string;
  /** "" until the venue has assigned one. That of the order that it became, once it has triggered. */
  readonly venueId: string;
  /** LONG or SHORT, lots, and limit price in ticks (0 for none): what it becomes when it triggers is found by them. */
  readonly side: number;
  readonly size: number;
  readonly price: number;
}

type Line = { readonly opened: UnlistedOpen } | { readonly ended: string } | { readonly opens: readonly UnlistedOpen[] };

export class UnlistedOpens {
  readonly #orders = new Map<string, UnlistedOpen>();

  get all(): readonly UnlistedOpen[] {
    return [...this.#orders.values()];
  }

  get size(): number {
    return this.#orders.size;
  }

  /** Takes a line of the bot. Returns false for one that is about something else. */
  take(line: string): boolean {
    const news = parsed(line);
    if (news === null) return false;
    if ('opens' in news) {
      this.#orders.clear();
      for (const order of news.opens) this.#orders.set(order.clientId, order);
    } else if ('opened' in news) this.#orders.set(news.opened.clientId, news.opened);
    else this.#orders.delete(news.ended);
    return true;
  }

  /** Makes these all that there are. Returns the lines that say what has changed. */
  become(orders: readonly UnlistedOpen[]): string[] {
    const live = new Set(orders.map(({ clientId }) => clientId));
    const ended = [...this.#orders.keys()].filter((clientId) => !live.has(clientId));
    const opened = orders.filter((order) => this.#orders.get(order.clientId)?.venueId !== order.venueId);
    const lines = [...ended.map((clientId) => lineOf({ ended: clientId })), ...opened.map((order) => lineOf({ opened: order }))];
    for (const line of lines) this.take(line);
    return lines;
  }

  /** Adds an order. Returns the line that says so. */
  open(order: UnlistedOpen): string {
    this.#orders.set(order.clientId, order);
    return lineOf({ opened: order });
  }

  /** The line that names all of them. */
  get line(): string {
    return lineOf({ opens: this.all });
  }
}

function lineOf(line: Line): string {
  return JSON.stringify(line);
}

/** Null for a line of another kind, or one that was cut off when its process ended. */
function parsed(line: string): Line | null {
  try {
    const news = JSON.parse(line) as Partial<Record<'opened' | 'ended' | 'opens', unknown>> | null;
    const isOne = typeof news?.ended === 'string' || typeof news?.opened === 'object' || Array.isArray(news?.opens);
    return isOne ? (news as Line) : null;
  } catch {
    return null;
  }
}
