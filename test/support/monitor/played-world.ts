/** What the played monitor shows: a bot with every state that a page must show, whose figures agree with each other. */

export const MINUTE = 60_000;

/** The bot behind the played monitor: legs of every kind of stop, an order of unknown outcome, halts, refusals. */
export function worldOf(count: number, fills: number, hostile: string) {
  const start = Math.floor(Date.now() / MINUTE) * MINUTE - 300 * MINUTE;
  const names = Array.from({ length: count }, (_, k) => ['BTCUSDT', 'ETHUSDT', hostile || 'SOLUSDT'][k] ?? `COIN${k}USDT`);
  const priceAt = (time: number): number => 60_500 + 400 * Math.sin((time - start) / MINUTE / 25) + 90 * Math.sin((time - start) / MINUTE);
  /** The price of now, which is also the last one of the chart. */
  const mark = Math.round(priceAt(Math.floor(Date.now() / MINUTE) * MINUTE) * 10) / 10;
  const exit = (by: string, price: string, distance: string) => ({
    by,
    what: by === 'venue' ? 'stop-loss' : 'trailing-stop',
    size: '0.5',
    price,
    limit: '',
    distance,
    order: 11,
  });
  const leg = (symbol: string, side: string, more: object) => ({
    symbol,
    side,
    size: '0.500',
    own: '0.500',
    strategies: ['ema-cross'],
    entryPrice: '60250.5',
    price: mark.toFixed(1),
    value: (0.5 * mark).toFixed(2),
    unrealised: (0.5 * (mark - 60_250.5)).toFixed(2),
    liquidationPrice: '31200.0',
    opening: '0.000',
    closing: '0.000',
    exits: [exit('venue', '59990.0', ((59_990 / mark - 1) * 100).toFixed(2))],
    unprotected: '0.000',
    worstLoss: (0.5 * (mark - 59_990)).toFixed(2),
    provenAt: Date.now() - 1400,
    ...more,
  });
  const positions = [
    leg(names[0]!, 'LONG', {}),
    leg(names[1] ?? 'ETHUSDT', 'SHORT', {
      size: '12.00',
      own: '8.00',
      entryPrice: '3050.10',
      price: '3071.25',
      unrealised: '-253.80',
      liquidationPrice: '',
      noLiquidation: true,
      value: '36855.00',
      exits: [exit('bot', '3102.00', '1.00')],
      unprotected: '12.00',
      worstLoss: '',
      strategies: ['grid'],
    }),
    leg(names[2] ?? 'SOLUSDT', 'LONG', {
      size: '40.0',
      own: '40.0',
      entryPrice: '',
      value: '',
      price: '',
      unrealised: '',
      liquidationPrice: '',
      exits: [],
      unprotected: '40.0',
      worstLoss: '',
    }),
    ...names.slice(3, 200).map((symbol, k) => leg(symbol, k % 2 === 0 ? 'LONG' : 'SHORT', { worstLoss: String(k) })),
  ];
  const order = (number: number, more: object) => ({
    number,
    clientId: `tw-1-${number}`,
    venueId: String(9_000_000 + number),
    symbol: names[0]!,
    strategy: 'ema-cross',
    kind: 'futures',
    side: 'LONG',
    effect: 'OPEN',
    type: 'LIMIT',
    price: '59800.0',
    trigger: '',
    triggerBy: '',
    stopLoss: '59000.0',
    takeProfit: '62000.0',
    size: '0.250',
    filled: '0.000',
    state: 'working',
    createdAt: Date.now() - 60_000,
    reason: 'cross up',
    updatedAt: Date.now() - 60_000 + number,
    ...more,
  });
  const orders = [
    order(43, {
      symbol: names[2] ?? 'SOLUSDT',
      state: 'unknown',
      venueId: '',
      size: '15.0',
      price: '142.10',
      stopLoss: '138.00',
      takeProfit: '',
      reason: 'breakout',
    }),
    order(42, { effect: 'CLOSE', price: '62500.0', size: '0.500', stopLoss: '', takeProfit: '', reason: 'target' }),
    order(41, {}),
    order(40, { state: 'refused', venueId: '', reason: hostile || 'max-notional: 41200 of 40000 USDT' }),
    order(39, { state: 'filled', filled: '0.250' }),
  ];
  const halts = [
    {
      scope: `symbol:${names[2] ?? 'SOLUSDT'}`,
      code: 'outcome-unknown',
      detail: 'the outcome of order 43 is unknown',
      since: Date.now() - 7000,
      by: 'bot',
      ends: 'by itself',
    },
  ];
  const fill = (id: number) => ({
    id,
    time: Date.now() - (fills - id) * 61_000,
    number: id % 2 === 0 ? 39 : 1_000 + id,
    symbol: names[id % Math.min(count, 2)]!,
    strategy: 'ema-cross',
    side: id % 4 < 2 ? 'LONG' : 'SHORT',
    effect: id % 2 === 0 ? 'OPEN' : 'CLOSE',
    size: '0.250',
    price: (priceAt(Date.now() - (fills - id) * 61_000) / (id % Math.min(count, 2) === 0 ? 1 : 19.7)).toFixed(1),
    value: '15100.00',
    fee: id % 7 === 0 ? '' : '6.0412',
    profit: id % 2 === 0 ? '0' : (20 * Math.cos(id)).toFixed(2),
    positionAfter: '0.500',
    reason: id % 2 === 0 ? 'cross up' : 'target',
  });
  const status = () => ({
    bot: 'demo',
    isRunning: true,
    phase: 'armed',
    time: Date.now(),
    startedAt: start,
    pid: 4242,
    venue: 'http://127.0.0.1:8787 (paper)',
    account: 'paper',
    venueAnsweredAt: Date.now() - 300,
    troubles: [],
    readAt: {
      equity: Date.now() - 2100,
      orders: Date.now() - 900,
      positions: Math.floor(Date.now() / 2000) * 2000,
      prices: Date.now() - 200,
    },
    equity: '10412.37',
    marginCoin: 'USDT',
    profit: '412.37',
    today: {
      day: new Date().toISOString().slice(0, 10),
      profit: '61.20',
      fees: '18.05',
      funding: '-1.10',
      net: '42.05',
      equity: '55.10',
      equitySince: start,
    },
    orders: 3,
    placed: 43,
    fills,
    unknownOutcomes: 1,
    halts,
    onHold: '',
    flattening: [],
    flattened: [],
    parts: ['ema-cross', 'all'].map((name) => {
      const made = { name, profit: '60.10', fees: '15.00', funding: '-1.10' };
      return { ...made, unrealised: '110.95', net: '154.95', value: '67345.00', worstLoss: '' };
    }),
    strategies: [
      {
        name: 'ema-cross',
        symbols: names,
        params: { fast: '12', slow: '26', size: '0.25' },
        set: ['fast'],
        configured: { fast: '9' },
        changed: { SOLUSDT: 'added' },
        errors: 0,
        isDisabled: false,
        warmingUp: '',
      },
      {
        name: 'grid',
        symbols: names.slice(1, 2),
        params: { step: '0.4%' },
        set: [],
        errors: 2,
        isDisabled: false,
        warmingUp: '14 of 60 1h bars of ETHUSDT',
        reload: {
          at: Date.now() - 90_000,
          sha256: '1f0c2aa94b7e0d1c',
          trialUntil: 0,
          returned: hostile || 'onQuote threw: step is undefined',
          onDisk: 'other',
        },
      },
    ],
    requests: 88_212,
    errors: 1,
    lastError: { time: Date.now() - 600_000, event: 'read-failed', text: hostile || 'E19 timeout' },
    lostLines: null,
    memory: { heapMb: 48, limitMb: 4144, rssMb: 131 },
    counts: { 'intent-refused max-notional': 3, 'intent-refused outcome-unknown': 12, 'command-rejected 40762': 1 },
    health: {
      turns: 1,
      lateMs: 3,
      clockOffsetMs: -41,
      requests: 88_212,
      rateLimited: 2,
      endpoints: {
        E7: { requests: 80_000, failures: 1, p50Ms: 8, p99Ms: 31 },
        E19: { requests: 8_000, failures: 2, p50Ms: 11, p99Ms: 48 },
      },
      pollsSkipped: 0,
      commandsInFlight: 1,
      journal: { made: 1043, durable: 1043 },
      lines: { warn: 7, error: 1 },
    },
  });
  const bars = () => {
    const rows: (number | string)[][] = [];
    for (let k = 0; k < 300; k++) {
      const [open, close] = [priceAt(start + k * MINUTE), priceAt(start + (k + 1) * MINUTE)];
      // Ten minutes in which the monitor saw no price.
      if (k < 240 || k > 250)
        rows.push([
          start + k * MINUTE,
          open.toFixed(1),
          (Math.max(open, close) + 30).toFixed(1),
          (Math.min(open, close) - 30).toFixed(1),
          close.toFixed(1),
        ]);
    }
    return rows;
  };
  const lines = [
    {
      id: 7,
      level: 'warn',
      time: new Date(Date.now() - 90_000).toISOString(),
      event: 'read-failed',
      endpoint: 'E19',
      cause: hostile || 'timeout',
      symbol: names[0],
    },
  ];
  const notes = [
    { id: 3, time: Date.now() - 61_000, strategy: 'ema-cross', symbol: names[0], text: hostile || 'fast 60 412 crossed above slow 60 398' },
  ];
  const quotes = names.map((symbol, k) => {
    const price = k === 1 ? 3071.25 : mark;
    return { symbol, bid: (price - 0.1).toFixed(1), ask: (price + 0.1).toFixed(1), last: price.toFixed(1), time: Date.now() };
  });
  /** What the chart shows: two lines, a halt that is over, one that holds, and ten minutes without prices. */
  const chart = (symbol: string, from: number) => {
    const rows = bars().filter(([time]) => Number(time) >= from);
    const line = (name: string, value: (time: number) => number) => ({
      strategy: 'ema-cross',
      name,
      rows: rows.map(([time]) => [time, value(Number(time)).toFixed(2)]),
    });
    const past = { scope: 'bot', code: 'daily-loss', detail: '', since: start + 200 * MINUTE, until: start + 220 * MINUTE };
    const held = halts.filter(({ scope }) => scope === 'bot' || scope === `symbol:${symbol}`);
    return {
      symbol,
      rows,
      lines: [line('slow', (time) => priceAt(time - 5 * MINUTE)), line('rsi', (time) => 50 + 20 * Math.sin(time / MINUTE / 9))],
      halts: [past, ...held.map((halt) => ({ ...halt, until: 0 }))],
      blind: [{ from: start + 239 * MINUTE, until: start + 251 * MINUTE, cause: 'the bot read no price' }],
    };
  };
  return { start, positions, orders, halts, fill, status, chart, lines, notes, quotes };
}
