/** Words what a watchdog did about one silence of a bot: for its status, the alert, and the halt of a bot that wakes up. */
import { counted, firstOf } from '../../base/text/figures.ts';
import { PLACE_SPOT, SIDES } from '../../domain/codes.ts';
import { formatLots, formatTicks, type Instrument } from '../../domain/instrument.ts';
import { hasNotLanded, type CloseFate, type CloseFill, type WatchdogClose } from '../../domain/messages/watchdog.ts';
import type { ShapedOpen } from './opens-at-venue.ts';

/** Orders that are named; the rest is a count, so that a message stays short. */
const NAMED = 5;

export class Deeds {
  readonly #instruments: readonly Instrument[];
  /** By client id, or the venue's id if it has none. */
  readonly #cancelled = new Map<string, string>();
  readonly #closes = new Map<string, { readonly text: string; readonly hasEnded: boolean }>();

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  cancelled({ clientId, kind, price, side, size, symbol, venueId }: ShapedOpen): void {
    const instrument = this.#instrumentOf(symbol, kind === PLACE_SPOT ? 'spot' : 'futures');
    const at = instrument === undefined || price === 0 ? '' : ` at ${formatTicks(price, instrument)}`;
    const shape = instrument === undefined ? '' : ` ${kind === PLACE_SPOT ? 'spot' : SIDES[side]!} ${formatLots(size, instrument)}`;
    this.#cancelled.set(clientId === '' ? venueId : clientId, `${symbol}${shape}${at}`);
  }

  /** A close leaves, or this became of it. True if it has ended now. */
  became({ clientId, side, size, symbol }: WatchdogClose, fate: CloseFate | undefined, fill: CloseFill | undefined): boolean {
    if (hasNotLanded(fate)) {
      this.#closes.delete(clientId);
      return false;
    }
    const hadEnded = this.#closes.get(clientId)?.hasEnded === true;
    const hasEnded = fate === 'ended';
    const instrument = this.#instrumentOf(symbol, 'futures');
    const lots = fill?.lots ?? null;
    const shape = instrument === undefined ? '' : ` ${hasEnded && lots === null ? 'at most ' : ''}${formatLots(lots ?? size, instrument)}`;
    const price = fill?.price ?? 0;
    const unknown = hasEnded ? 'at a price that no record shows' : '(sent; its fill is not known yet)';
    const at = instrument === undefined || price === 0 ? unknown : `at ${price.toFixed(instrument.priceDecimals)}`;
    this.#closes.set(clientId, { text: `${symbol} ${SIDES[side]!}${shape} ${at}`, hasEnded });
    return hasEnded && !hadEnded;
  }

  /** "cancelled 2 opening orders: …; closed …"; "" if it did nothing yet. */
  get text(): string {
    const cancelled = [...this.#cancelled.values()];
    return [
      cancelled.length === 0 ? '' : `cancelled ${counted(cancelled.length, 'opening order')}: ${firstOf(cancelled, NAMED)}`,
      this.#closes.size === 0
        ? ''
        : `closed ${firstOf(
            [...this.#closes.values()].map(({ text }) => text),
            NAMED,
          )}`,
    ]
      .filter((part) => part !== '')
      .join('; ');
  }

  #instrumentOf(symbol: string, product: Instrument['product']): Instrument | undefined {
    return this.#instruments.find((one) => one.symbol === symbol && one.product === product);
  }
}
