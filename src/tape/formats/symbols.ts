/** Symbols as vendors write them, as this program names them, and those whose contracts are inverse. */

/** Exchanges of Tardis on which a symbol that ends in USD is an inverse contract. */
const INVERSE_EXCHANGES = new Set([
  'binance-delivery',
  'bitmex',
  'bybit',
  'cryptofacilities',
  'deribit',
  'gate-io-futures',
  'huobi-dm',
  'huobi-dm-swap',
  'okex-futures',
  'okex-swap',
  'bitget-futures',
]);

/** "BTC/USDT:USDT", "BTC-USDT-SWAP", "BTC_USDT" → "BTCUSDT"; dates of delivery stay: "BTC-USDT-240628" → "BTCUSDT_240628". */
export function plainSymbol(text: string): string {
  const parts = text.split(/[/:_-]+/).filter((part) => part !== '' && !/^(SWAP|PERP|PERPETUAL)$/i.test(part));
  const [base = '', quote, ...rest] = parts;
  if (quote === undefined) return base;
  const date = /^\d+$/.test(quote) ? quote : rest.find((part) => /^\d{6,8}$/.test(part));
  const pair = /^\d+$/.test(quote) ? base : base + quote;
  return date === undefined ? pair : `${pair}_${date}`;
}

/** The symbol as the name of a file has it: "BTCUSDT-trades-2024-01-01.zip" → "BTCUSDT", "BTC_USDT-5m.json" → "BTC_USDT". */
export function symbolOfFile(file: string): string | null {
  const name = file.split(/[\\/!]/).at(-1) ?? '';
  // TradingView: "BINANCE_BTCUSDT, 60.csv"; a perpetual contract is "BITGET_BTCUSDT.P, 60_a1b2c.csv".
  const charted = /^[A-Z0-9]+_([A-Za-z0-9._]+?)(?:\.P)?, *\w+( \(\d+\))?\.csv/.exec(name)?.[1];
  if (charted !== undefined) return charted;
  // HistData: "DAT_ASCII_EURUSD_M1_2024.csv".
  const plain = name.replace(/^DAT_[A-Z]+_(?=[A-Z])/, '');
  const found =
    /^([A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*?)(?=[-_.](?:\d+(?:s|m|h|d|w|M|min)(?![A-Za-z0-9])|(?:M\d+|H\d+|D1|W1|MN1|Daily|Weekly)(?![A-Za-z0-9])|candlestick|trades?|agg_?trades?|bars?|book|quotes?|klines?|ohlcv|candles?|book_?ticker|funding_?rates?|mark|premium|\d{4})|\.|$)/i.exec(
      plain,
    );
  const symbol = found?.[1];
  return symbol === undefined || !/[A-Za-z]/.test(symbol) ? null : symbol;
}

/** True if contracts of this name are settled in the coin itself. */
export function isInverseSymbol(symbol: string, exchange = ''): boolean {
  if (/USD_(PERP|\d{6})$|-USD-(SWAP|\d{6})$|^P[IF]_[A-Z]+USD/.test(symbol)) return true;
  // Deribit names the coin alone, "BTC-PERPETUAL"; a linear contract has its currency, "SOL_USDC-PERPETUAL".
  if (exchange === 'deribit' && /^[A-Z0-9]+-/.test(symbol)) return true;
  return INVERSE_EXCHANGES.has(exchange) && /(USD|USD[-_]?(PERPETUAL|\d{2,6}|[HMUZ]\d\d))$/.test(symbol);
}

/** A derivative by its name, where sizes may count contracts. */
export function isContractSymbol(symbol: string): boolean {
  return /-SWAP$|-\d{6}$/.test(symbol);
}
