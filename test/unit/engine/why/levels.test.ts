/** How near each limit is: the level of each limit that has one, from the state that its rule judges. */
import { describe, expect, it } from 'vitest';
import { CLOSE, LONG } from '../../../../src/domain/codes.ts';
import { FILLED } from '../../../../src/domain/orders/order.ts';
import type { LimitLevel } from '../../../../src/domain/messages/why.ts';
import { btc, pushedRig, type Rig } from '../../../support/engine/engine-kit.ts';
import { WIDE_LIMITS } from '../../../support/specs.ts';

const MONEY = 100_000_000;

function rigWith(
  risk: Record<string, unknown>,
  account = { equity: 1_000 * MONEY },
  quoted = [0, 1],
  prices = { markPrice: 1000, liquidationPrice: 950 },
): Rig {
  const near = [{ side: LONG, ...prices, margin: 0 }];
  const r = pushedRig(
    {},
    {
      instruments: [btc(0), btc(1, 'ETHUSDT')],
      risk: { ...WIDE_LIMITS, ...risk },
      pushed: { equity: () => account.equity, account: () => ({ available: 0, locked: 0, unrealised: 0 }), positions: () => near },
    },
  );
  quote(r, quoted);
  return r;
}

const quote = (r: Rig, of = [0, 1]): void => of.forEach((i) => r.kernel.inbox.onQuote(i, 10_000, 5_000, 10_002, 5_000));
const levels = (r: Rig): LimitLevel[] => r.kernel.why.levels(r.clock.time);
const find = (r: Rig, setting: string, scope: string): LimitLevel | undefined =>
  levels(r).find((one) => one.setting === `risk.${setting}` && one.scope === scope);

function buy(r: Rig, fills: boolean): number {
  const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.1' });
  if (fills) r.venue.pushedFill(n, 100, 10_000);
  if (fills) r.venue.pushedEnd(n, FILLED);
  return n;
}

describe('how near each limit is', () => {
  it('values legs with their live opening orders, as the rules do', () => {
    const r = rigWith({ maxPosition: '0.4', maxNotionalPosition: '400', maxNotionalTotal: '1000', maxLeverage: 2 });
    expect(find(r, 'maxPosition', 'leg:BTCUSDT:LONG')).toBeUndefined();
    buy(r, true);
    buy(r, false);
    expect(find(r, 'maxPosition', 'leg:BTCUSDT:LONG')).toMatchObject({ value: '0.200', limit: '0.400', unit: 'BTC', share: 0.5 });
    const leg = find(r, 'maxNotionalPosition', 'leg:BTCUSDT:LONG')!;
    expect([leg.limit, leg.unit, leg.share!.toFixed(2), leg.effect]).toEqual(['400', 'USDT', '0.50', 'opens are refused']);
    expect(find(r, 'maxNotionalTotal', 'bot')!.share!.toFixed(2)).toBe('0.20');
    expect(find(r, 'maxLeverage', 'bot')).toMatchObject({ value: '0.20', limit: '2.00', unit: '×' });
    expect(find(r, 'maxPosition', 'leg:ETHUSDT:LONG')).toBeUndefined();
  });

  it('counts what happened in the window of a limit', () => {
    const r = rigWith({
      maxOrdersPerMinute: 4,
      maxOpenOrders: 8,
      maxConsecutiveLosses: 3,
      stoplossGuard: 2,
      stoplossGuardWindow: 3_600_000,
    });
    buy(r, true);
    buy(r, false);
    expect(find(r, 'maxOrdersPerMinute', 'bot')).toMatchObject({ value: '2', limit: '4', share: 0.5 });
    expect(find(r, 'maxOpenOrders', 'symbol:BTCUSDT')).toMatchObject({ value: '1', limit: '8' });
    r.advance(61_000);
    quote(r);
    expect(find(r, 'maxOrdersPerMinute', 'bot')).toMatchObject({ value: '0' });
    const closes = r.ctx().close(r.ctx().markets[0]!, 'LONG');
    r.venue.pushedFill(closes, 100, 9_900);
    r.venue.pushedEnd(closes, FILLED);
    expect(find(r, 'maxConsecutiveLosses', 'bot')).toMatchObject({ value: '1', limit: '3', effect: 'opens halt' });
    const stopped = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.1', stopLoss: 990 });
    r.venue.pushedFill(stopped, 100, 10_000);
    r.venue.pushedEnd(stopped, FILLED);
    r.venue.pushedOwnFill(0, LONG, CLOSE, 100, 9_900);
    expect(find(r, 'stoplossGuard', 'bot')).toMatchObject({ value: '1', limit: '2', share: 0.5 });
  });

  it('follows the equity: loss of the day, drawdown, least equity, and what each then does', () => {
    const account = { equity: 1_000 * MONEY };
    const r = rigWith({ maxDailyLoss: '10%', maxDailyLossAction: 'flatten', maxDrawdown: '200', minEquity: '500' }, account);
    r.advance(2_000);
    account.equity = 950 * MONEY;
    r.advance(2_000);
    expect(find(r, 'maxDailyLoss', 'bot')).toMatchObject({
      value: '50',
      limit: '100',
      unit: 'USDT',
      share: 0.5,
      effect: 'opens halt, orders are cancelled, positions are closed',
    });
    expect(find(r, 'maxDrawdown', 'bot')).toMatchObject({ value: '50', limit: '200', share: 0.25 });
    // A floor: it is reached when the equity has fallen to it.
    expect(find(r, 'minEquity', 'bot')!.share!.toFixed(3)).toBe((500 / 950).toFixed(3));
  });

  it('shows the whole of a limit as used when the equity is gone', () => {
    const account = { equity: 1_000 * MONEY };
    const r = rigWith({ minEquity: '500', maxLeverage: 2, maxNotionalTotal: '200%', maxOpenOrders: 0 }, account);
    r.advance(2_000);
    const shares = [250, 0, -500].map((equity) => {
      account.equity = equity * MONEY;
      r.advance(2_000);
      return find(r, 'minEquity', 'bot')!.share;
    });
    expect(shares).toEqual([1.5, 2, 3]);
    expect(find(r, 'maxLeverage', 'bot')).toMatchObject({ value: '', limit: '', share: 1 });
    expect(find(r, 'maxNotionalTotal', 'bot')).toMatchObject({ value: '0', limit: '0', share: 1 });
    expect(find(r, 'maxOpenOrders', 'symbol:BTCUSDT')).toMatchObject({ value: '0', limit: '0', share: 1 });
  });

  it.each([
    [1000, 1000, 1 + 1],
    [1000, 950, 1],
    [1000, 900, 0.5],
  ])('a mark price of %d with the liquidation at %d has used %d of a buffer of 5 %%', (markPrice, liquidationPrice, share) => {
    const r = rigWith({ liquidationBuffer: '5%' }, undefined, [0, 1], { markPrice, liquidationPrice });
    buy(r, true);
    r.advance(2_000);
    expect(find(r, 'liquidationBuffer', 'leg:BTCUSDT:LONG')!.share).toBeCloseTo(share, 9);
  });

  it('does not know the share of a limit of 0 whose value is unknown', () => {
    const r = rigWith({ maxSpread: 0 }, undefined, [0]);
    expect(find(r, 'maxSpread', 'symbol:ETHUSDT')).toMatchObject({ value: '', limit: '0.00', share: null });
  });

  it('says what it does not know, first, and leaves out limits that are off', () => {
    const r = rigWith({ maxSpread: '1%', staleAfterMs: 5_000 }, undefined, [0]);
    r.advance(2_500);
    expect(find(r, 'staleAfterMs', 'symbol:BTCUSDT')).toMatchObject({ value: '2500', limit: '5000', unit: 'ms', share: 0.5 });
    expect(find(r, 'maxSpread', 'symbol:BTCUSDT')).toMatchObject({ value: '0.02', limit: '1.00', unit: '%' });
    expect(find(r, 'maxDailyLoss', 'bot')).toBeUndefined();
    expect(find(r, 'maxSpread', 'symbol:ETHUSDT')).toMatchObject({ value: '', limit: '1.00', share: null });
    expect(levels(r)[0]).toMatchObject({ scope: 'symbol:ETHUSDT', value: '', share: null });
    const shares = levels(r).map(({ share }) => share ?? Infinity);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  });
});
