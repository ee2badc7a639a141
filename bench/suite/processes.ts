/** Figures of the paper exchange and of indicators, each measured in a process of its own. */
import { here, isQuick, judgedAbove, node, tell } from './table.ts';

interface Serving {
  readonly place: number;
  /** Share of the rate of a bare server that gets the same orders in turns. */
  readonly ofBare: number;
  readonly pending: number;
  readonly ticker: number;
}

interface Held {
  readonly heldMb: number;
  readonly rssMb: number;
}

interface Waits {
  readonly longest: number;
}

/** Requests a second of the paper exchange, what others wait beside a flood, and what it keeps of past orders. */
export function exchange(): void {
  const { place, ofBare, pending, ticker } = JSON.parse(node([here('exchange.ts'), isQuick ? '2' : '5', '16', '--json'])) as Serving;
  tell('paper exchange: signed orders placed a second', String(Math.round(place)), '≥ 5000', place >= 5000);
  tell(
    'the same, of a bare node:http server with the same bodies and signatures',
    `${ofBare.toFixed(2)} ×`,
    '≥ 0.3 ×',
    judgedAbove(ofBare, 0.3),
  );
  tell(
    'paper exchange: signed listings / public tickers a second',
    `${Math.round(pending)} / ${Math.round(ticker)}`,
    '≥ 8000',
    Math.min(pending, ticker) >= 8000,
  );
  const waits = node([here('flood.ts')])
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Waits).longest);
  const longest = Math.max(...waits);
  tell('paper exchange: longest wait beside 300 callers with 30 pages each, of its CPU', `${longest} ms`, '≤ 50 ms', longest <= 50);
  const count = isQuick ? 100_000 : 1_000_000;
  const { early, late } = JSON.parse(node([here('exchange.ts'), 'memory', String(count)])) as { early: Held; late: Held };
  const grown = late.heldMb - early.heldMb;
  const held = `${early.heldMb.toFixed(0)} → ${late.heldMb.toFixed(0)} MB (RSS ${early.rssMb.toFixed(0)} → ${late.rssMb.toFixed(0)})`;
  tell(`paper exchange: held after ${count / 5} and ${count} orders`, held, 'at most 32 MB more', grown <= 32);
}

/** Indicators on bars. */
export function indicators(): void {
  const { perMs, heapMb } = JSON.parse(node(['--expose-gc', here('indicators.ts')])) as { perMs: number; heapMb: number };
  tell('RSI + EMA + ATR + Bollinger + MACD, bars a millisecond', String(Math.round(perMs)), '≥ 3000', perMs >= 3000);
  tell('the same: heap that a million bars leave', `${heapMb.toFixed(1)} MB`, '≤ 1 MB', heapMb <= 1);
}
