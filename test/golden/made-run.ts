/** The synthetic run of metrics.py: 400 days and 240 trades, made from the integers of a Lehmer generator. */
import { DAY_MS } from '../../src/base/time/time-spans.ts';
import { ONE } from '../../src/domain/amounts/units.ts';
import type { MetricFacts } from '../../src/report/metrics/facts.ts';
import { drawdowns, underwater } from '../../src/statistics/drawdown.ts';
import { growth } from '../../src/statistics/returns.ts';

const DAYS = 400;
const TRADES = 240;
const START = 10_000;

/** The generator of metrics.py. */
export function lehmer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

export function madeRun(): MetricFacts {
  const draw = lehmer(7);
  const benchmark = Float64Array.from({ length: DAYS }, () => (draw(8001) - 3950) / 100_000);
  const returns = new Float64Array(DAYS);
  for (let k = 0; k < DAYS; k++) {
    const noise = (draw(4001) - 1900) / 100_000;
    returns[k] = 0.3 * benchmark[k]! + 0.25 * (k > 0 ? returns[k - 1]! : 0) + noise;
  }
  const exposure = Float64Array.from({ length: DAYS + 1 }, () => (draw(4) === 0 ? 0 : draw(30_000)) * ONE);
  const trades = Array.from({ length: TRADES }, (_, k) => {
    const net = k % 24 === 0 ? 0 : ((draw(20_001) - 9_500) / 100) * ONE;
    return { net, side: draw(3) === 0 ? -1 : 1, heldMs: 1000 + draw(9_000_000), mae: draw(3000) / 1e5, mfe: draw(4000) / 1e5 };
  });
  const equity = growth(returns).map((value) => value * START * ONE);
  const falls = drawdowns(equity);
  const column = (name: 'net' | 'side' | 'heldMs' | 'mae' | 'mfe'): Float64Array => Float64Array.from(trades, (one) => one[name]);
  return {
    totals: {
      start: START * ONE,
      end: equity.at(-1)!,
      fees: 123.5 * ONE,
      funding: -7.25 * ONE,
      turnover: 250_000 * ONE,
      spanMs: DAYS * DAY_MS,
    },
    periods: { perYear: 365, periodMs: DAY_MS, returns, benchmark, sorted: returns.slice().sort() },
    curve: {
      time: Float64Array.from({ length: DAYS + 1 }, (_, k) => k * DAY_MS),
      equity,
      exposure,
      underwater: underwater(equity),
      drawdowns: falls,
      maxDrawdown: Math.max(...falls.map(({ amount }) => amount)),
      maxDrawdownShare: Math.max(...falls.map(({ share }) => share)),
      maxExposure: Math.max(...exposure),
      exposedShare: exposure.filter((one) => one > 0).length / exposure.length,
    },
    trades: { net: column('net'), side: column('side'), heldMs: column('heldMs'), mae: column('mae'), mfe: column('mfe') },
    orders: {
      placed: 500,
      modified: 100,
      cancelled: 125,
      filled: 350,
      rejected: 20,
      refused: 50,
      fills: 400,
      makerFills: 100,
      markouts: [1, 2, 3].map((bp) => ({ fills: 400, share: bp / 1e4 })),
      slippage: { fills: 400, share: -0.0002, amount: -25 * ONE },
      timeToFill: { orders: 350, meanMs: 120, maxMs: 5000 },
    },
  };
}
