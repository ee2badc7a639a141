/** A journal of orders that were placed, filled and closed, for tests and measurements: about six records an order. */
import { Random } from '../../../src/base/random.ts';
import { emptyCommand } from '../../../src/domain/orders/command.ts';
import type { JournalRecord } from '../../../src/ports/store.ts';

const STRATEGIES = ['ema-cross', 'quoter', 'breakout'];
const SYMBOLS = ['BTCUSDT', 'ETHUSDT'];
const REASONS = ['trend', 'mean', ''];

/** `orders` orders, `stepMs` apart, from `start` on. Every twentieth or so there is funding, an exit, or a trade of another party. */
export function* longJournal(orders: number, start: number, stepMs: number, seed = 1): Generator<JournalRecord> {
  const random = new Random(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const opened = new Map<string, { at: number; total: number }>();
  for (let seq = 1; seq <= orders; seq++) {
    // A clock that was put back now and then.
    const time = start + seq * stepMs - (random.below(50) === 0 ? 3 * stepMs : 0);
    const [strategy, symbol, reason] = [pick(STRATEGIES), pick(SYMBOLS), pick(REASONS)];
    const effect = seq % 2 === 1 ? 'OPEN' : 'CLOSE';
    const [size, price] = [(1 + random.below(9)) / 1_000, 60_000 + random.below(900) / 10];
    const who = { strategy, symbol, side: 'LONG', effect, ...(reason === '' ? {} : { reason }) };
    yield {
      kind: 'command',
      seq,
      time,
      data: {
        ...emptyCommand(),
        effect: effect === 'OPEN' ? 0 : 1,
        type: 1,
        size: Math.round(size * 1_000),
        symbol,
        strategy,
        reason,
      },
    };
    yield { kind: 'outcome', seq, time: time + 80, data: { status: 'accepted', venueId: `fu-${seq}`, why: '' } };
    const leg = { lots: Math.round(size * 1_000), ticks: Math.round(price * 10) };
    const value = { value: (size * price).toFixed(8), isBooked: true, after: effect === 'OPEN' ? String(size) : '0' };
    yield {
      kind: 'fill',
      seq,
      time: time + 300,
      data: { ...leg, ...who, size: String(size), price: String(price), fee: '0.01', ...value },
    };
    yield { kind: 'leg', seq: 0, time: time + 300, data: { symbol, side: 0, total: leg.lots, own: leg.lots, provenAt: time } };
    const profit = effect === 'CLOSE' ? { profit: ((random.below(2_000) - 990) / 700).toFixed(8) } : {};
    yield {
      kind: 'fee',
      seq: 0,
      time: time + 301,
      data: { order: seq, fee: (size * price * 0.0006).toFixed(8), ...profit, strategy, symbol, reason },
    };
    yield { kind: 'ended', seq, time: time + 301, data: { how: 5, filled: leg.lots, isSettled: true } };
    const other = random.below(60);
    if (other === 0) {
      let position = opened.get(symbol);
      if (position === undefined || random.below(4) === 0) opened.set(symbol, (position = { at: time, total: 0 }));
      position.total += random.below(2_000_000) - 900_000;
      yield { kind: 'funding', seq: 0, time, data: { symbol, side: 'LONG', total: position.total, openedAt: position.at } };
    } else if (other === 1) {
      const exit = {
        lots: 1,
        ticks: 0,
        symbol,
        side: 'LONG',
        strategy,
        size: '0.001',
        price: String(price),
        fee: '0.03',
        profit: '-0.4',
        after: '0',
      };
      yield { kind: 'exit', seq, time, data: { ...exit, what: 'stop-loss', venueId: `fu-x${seq}` } };
    } else if (other === 2) {
      yield {
        kind: 'external',
        seq: 0,
        time,
        data: { symbol, side: 'LONG', what: 'external', size: '0.002', price: String(price), position: '0' },
      };
    }
  }
}
