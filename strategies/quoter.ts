/**
 * A two-sided quoter: keeps one buy and one sell limit order around the mid price and moves them with the book.
 *
 * The legs (position sides) are separate positions: a buy closes the SHORT leg if there is one, otherwise it opens LONG; a sell the other
 * way round. Inventory (long minus short) shifts both quotes: the longer the bot is, the lower it quotes, so it sells sooner than it buys.
 * At `maxInventory` the side that would add to it is not quoted.
 */
import { defineStrategy, param, type DirectionName, type Market, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'quoter',
  doc: 'Quotes both sides of the book with inventory skew.',
  params: {
    size: param.decimal('0.01', { doc: 'Size of each quote, base coin.' }),
    spread: param.number(2, { min: 0, doc: 'Least distance between the two quotes, in basis points of the price.' }),
    skew: param.number(1, { min: 0, doc: 'How far a full inventory shifts the quotes, in half spreads.' }),
    maxInventory: param.number(0.05, { min: 0, doc: 'Inventory at which the adding side is not quoted any more, base coin.' }),
    tolerance: param.number(1, { min: 0, doc: 'A quote moves when its best price is more than this many ticks away.' }),
    postOnly: param.boolean(true, { doc: 'True: the venue refuses a quote that would take liquidity.' }),
  },
  create({ size, spread, skew, maxInventory, tolerance, postOnly }, markets) {
    const lots = Number(size);
    let isStopping = false;
    const quotes = new Map(markets.map((market) => [market, { BUY: { order: 0, price: 0 }, SELL: { order: 0, price: 0 } }]));

    function requote(market: Market, ctx: StrategyContext): void {
      if (isStopping || !market.hasQuote) return;
      const inventory = market.long.size - market.short.size;
      const half = Math.max((market.ask - market.bid) / 2, (market.mid * spread) / 20_000);
      const lean = maxInventory > 0 ? -Math.max(-1, Math.min(1, inventory / maxInventory)) * skew * half : 0;
      // A quote never crosses the book: it stays a tick away from the other side.
      move(market, 'BUY', Math.min(market.mid + lean - half, market.ask - market.tick), inventory + lots <= maxInventory, ctx);
      move(market, 'SELL', Math.max(market.mid + lean + half, market.bid + market.tick), inventory - lots >= -maxInventory, ctx);
    }

    /** Keeps the quote if it is near enough; otherwise cancels it, and places it again when the cancel is confirmed. */
    function move(market: Market, direction: DirectionName, price: number, mayAdd: boolean, ctx: StrategyContext): void {
      const quote = quotes.get(market)![direction];
      const [adds, other] = direction === 'BUY' ? (['LONG', market.short] as const) : (['SHORT', market.long] as const);
      const closes = other.free >= lots;
      const isWanted = mayAdd || closes;
      const isNear = Math.abs(quote.price - price) <= (tolerance + 0.5) * market.tick;
      if (quote.order !== 0) {
        if (!isWanted || !isNear) ctx.cancel(quote.order, isWanted ? 'the book moved' : 'inventory is full');
      } else if (isWanted) {
        const reason = `${direction === 'BUY' ? 'bid' : 'ask'}${closes ? ` against the ${other.side.toLowerCase()} leg` : ''}`;
        quote.order = ctx.limit(market, closes ? other.side : adds, closes ? 'CLOSE' : 'OPEN', price, size, postOnly, reason);
        quote.price = price;
      }
    }

    return {
      onQuote: requote,
      onOrder({ order }, ctx) {
        if (order.isAlive || order.number === 0) return;
        for (const quote of Object.values(quotes.get(order.market)!)) if (quote.order === order.number) quote.order = 0;
        // A rejected quote would be rejected again: wait for the next quote of the market. After any other end quote again at once.
        if (order.state === 'filled' || order.state === 'cancelled') requote(order.market, ctx);
      },
      // Quotes must not rest unattended. This cancels those that an earlier process left.
      onStart(ctx) {
        ctx.cancelAll(undefined, 'fresh start');
      },
      onStop(ctx) {
        isStopping = true;
        ctx.cancelAll(undefined, 'the bot stops');
      },
    };
  },
});
