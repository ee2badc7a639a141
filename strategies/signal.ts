/**
 * Trades what a webhook says: "buy", "sell" or "close", as TradingView's alerts say it. The size is a parameter, never the sender's. A
 * signal is kept until its position is there, also over a restart, and is dropped when it is too old.
 */
import { defineStrategy, param, stored, type Market, type SideName, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'signal',
  doc: 'Takes LONG, SHORT or no position as signals from outside say.',
  params: {
    value: param.number(100, { min: 1, doc: 'Value of a position, in quote coin.' }),
    sides: param.choice(['BOTH', 'LONG', 'SHORT'], 'BOTH', { doc: 'Legs that it may open. With LONG, "sell" only closes.' }),
    stop: param.number(2, { min: 0.001, max: 90, doc: 'Stop-loss, in percent of the price; the venue holds it.' }),
    profit: param.number(0, { min: 0, max: 90, doc: 'Take-profit, in percent of the price; 0 for none.' }),
    age: param.duration('1m', { min: 100, doc: 'A signal that could not be followed within this time is dropped.' }),
  },
  state: { wants: stored.map(stored.object({ want: '', until: 0, trade: 0 })) },
  create({ value, sides, stop, profit, age }, markets) {
    function forget(market: Market, ctx: Context): void {
      ctx.state.wants = Object.fromEntries(Object.entries(ctx.state.wants).filter(([symbol]) => symbol !== market.symbol));
    }

    function remember(market: Market, want: Want, ctx: Context): void {
      ctx.state.wants = { ...ctx.state.wants, [market.symbol]: want };
    }

    /** The number of the trade, 0 if the limits refuse it now; −1 if it can never be placed. */
    function enter(market: Market, leg: SideName, ctx: Context): number {
      if (value / market.mid < market.minSize) {
        ctx.note(`a position of ${value} is below the smallest order, ${(market.minSize * market.mid).toFixed(2)}`, market);
        return -1;
      }
      const sign = leg === 'LONG' ? 1 : -1;
      const price = leg === 'LONG' ? market.ask : market.bid;
      const stopLoss = price * (1 - (sign * stop) / 100);
      const takeProfit = profit > 0 ? price * (1 + (sign * profit) / 100) : undefined;
      return ctx.enter({ market, side: leg, value, stopLoss, takeProfit, reason: 'signal' })?.id ?? 0;
    }

    /** Takes the next step towards what was said: closes the other leg first, and opens when it is closed. */
    function pursue(market: Market, ctx: Context): void {
      const said = ctx.state.wants[market.symbol];
      if (said === undefined) return;
      if (said.until <= ctx.now) {
        forget(market, ctx);
        return ctx.note(`"${said.want}" was dropped: it could not be followed in time`, market);
      }
      const trades = ctx.trades(market);
      const others = trades.filter(({ side }) => side !== said.want);
      for (const trade of others) if (trade.state !== 'closing') trade.close('signal');
      const own = trades.filter(({ side, state }) => side === said.want && state !== 'closing');
      // An entry that has filled nothing may never have left: a kill, or a venue that did not answer, can keep it.
      const isDone = said.want === 'FLAT' || own.some(({ state }) => state === 'open');
      if (isDone && others.length === 0) return forget(market, ctx);
      const canEnter = !isDone && own.length === 0 && others.length === 0 && market.hasQuote && !market.isHalted;
      if (canEnter) {
        const trade = enter(market, said.want as SideName, ctx);
        if (trade < 0) return forget(market, ctx);
        remember(market, { ...said, trade }, ctx);
      }
      ctx.setTimer(market.symbol, AGAIN_MS);
    }

    return {
      onStart: (ctx) => markets.forEach((market) => pursue(market, ctx)),
      onTimer: (symbol, ctx) => pursue(ctx.market(symbol), ctx),
      onSignal({ from, text }, ctx) {
        const said = read(text, markets);
        if (typeof said === 'string') {
          ctx.log('signal-ignored', { from, why: said });
          return ctx.note(`a signal was ignored: ${said}`);
        }
        const isAllowed = said.want === 'FLAT' || sides === 'BOTH' || sides === said.want;
        const want = isAllowed ? said.want : 'FLAT';
        remember(said.market, { want, until: ctx.now + age, trade: 0 }, ctx);
        ctx.note(`${from} says ${want}`, said.market);
        pursue(said.market, ctx);
      },
      onOrder({ kind, order }, ctx) {
        // The venue would refuse it again.
        if (kind === 'rejected' && ctx.state.wants[order.market.symbol]?.trade === order.number) forget(order.market, ctx);
      },
      onExit({ market, id, entered }, ctx) {
        const isIts = ctx.state.wants[market.symbol]?.trade === id;
        if (isIts && entered > 0) forget(market, ctx);
        // Why nothing of it filled is heard after this.
        if (isIts) ctx.setTimer(market.symbol, AGAIN_MS);
        else pursue(market, ctx);
      },
    };
  },
});

interface Want {
  readonly want: string;
  readonly until: number;
  /** Its newest entry. */
  readonly trade: number;
}
type Context = StrategyContext<{ wants: Readonly<Record<string, Want>> }>;

const AGAIN_MS = 1_000;

const WORDS: Readonly<Record<string, SideName | 'FLAT'>> = {
  buy: 'LONG',
  long: 'LONG',
  sell: 'SHORT',
  short: 'SHORT',
  close: 'FLAT',
  exit: 'FLAT',
  flat: 'FLAT',
};

/**
 * What a text says, or why it says nothing. JSON: `position` (long, short, flat) counts before `action` (buy, sell, close); `symbol` or
 * `ticker` as TradingView writes it, "BITGET:BTCUSDT.P", or none if there is one market.
 */
function read(text: string, markets: readonly Market[]): string | { readonly market: Market; readonly want: SideName | 'FLAT' } {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return 'JSON was expected';
  }
  if (typeof given !== 'object' || given === null) return 'a JSON object was expected';
  const { position, action, symbol, ticker } = given as Readonly<Record<string, unknown>>;
  const plain = (value: unknown): string => (typeof value === 'string' ? value : '');
  const word = plain(position ?? action).toLowerCase();
  if (!Object.hasOwn(WORDS, word)) return `"position" or "action" with one of ${Object.keys(WORDS).join(', ')} was expected`;
  const named = plain(symbol ?? ticker)
    .replace(/^.*:/, '')
    .replace(/\.P$/, '');
  const market = named === '' && markets.length === 1 ? markets[0] : markets.find((one) => one.symbol === named);
  return market === undefined
    ? `"symbol" with one of ${markets.map((one) => one.symbol).join(', ')} was expected`
    : { market, want: WORDS[word]! };
}
