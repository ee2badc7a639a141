/** Orders and positions of a stopped strategy, and how a strategy that hung is allowed again. */
import { describe, expect, it } from 'vitest';
import { CANCEL, CLOSE, MARKET } from '../../../../src/domain/codes.ts';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import type { OnStrategyStop } from '../../../../src/engine/strategy/runner/stopping.ts';
import { pushedRig, rig, type Rig } from '../../../support/engine/engine-kit.ts';

/** A strategy with a position of 0.01 LONG and a resting order, stopped for its errors. */
function stopped(word: OnStrategyStop): Rig & { readonly resting: number } {
  let isBroken = false;
  const r = pushedRig(
    {
      onQuote() {
        if (isBroken) throw new Error('boom');
      },
    },
    { onStrategyStop: word },
  );
  const [market] = r.ctx().markets;
  const bought = r.ctx().limit(market!, 'LONG', 'OPEN', 1000.2, 0.01);
  r.venue.accepted(bought, 'v1');
  r.venue.pushedFill(bought, 10, 10_002);
  const resting = r.ctx().limit(market!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(resting, 'v2');
  r.venue.commands.length = 0;
  isBroken = true;
  for (let k = 0; k < 20; k++) r.kernel.inbox.onQuote(0, 10_000 - k, 1, 10_002, 1);
  return { ...r, resting };
}

describe('a strategy disabled for its errors [S1]', () => {
  it.each(['keep', 'cancel', 'flatten'] as const)('%s: its orders and positions are named in the log and in the status', (word) => {
    const r = stopped(word);
    const told = r.log.lines.find(({ event }) => event === 'strategy-disabled');
    expect(told?.fields).toMatchObject({ strategy: 'probe', policy: word, orders: 1, positions: ['BTCUSDT LONG 0.01'] });
    expect(r.kernel.status().strategies).toMatchObject([{ name: 'probe', isDisabled: true, why: 'too-many-errors' }]);
  });

  it.each([
    { onBar: 'throws', isDisabled: true },
    { onBar: 'throws nine times', isDisabled: false },
  ])('a handler that $onBar, a minute apart, while another one works: stopped $isDisabled', ({ onBar, isDisabled }) => {
    let bars = 0;
    const r = pushedRig({
      barMs: 60_000,
      onBar() {
        bars++;
        if (onBar === 'throws' || bars % 10 !== 0) throw new Error('boom');
      },
      onQuote: () => undefined,
    });
    for (let k = 0; k < 25; k++) {
      r.kernel.inbox.onQuote(0, 10_000 - k, 1, 10_002, 1);
      r.kernel.inbox.onTrade(0, 10_001, 1, 0);
      r.advance(60_000);
    }
    expect(bars).toBe(isDisabled ? 10 : 25);
    expect(r.kernel.status().strategies).toMatchObject([{ isDisabled }]);
  });

  it('keep: its order and its position stay', () => {
    const r = stopped('keep');
    r.advance(1_000);
    expect(r.venue.commands).toEqual([]);
  });

  it('keep: the targets of its trade that rest stay, and their fills are counted', () => {
    let isBroken = false;
    const onQuote = (): void => {
      if (isBroken) throw new Error('boom');
    };
    const r = pushedRig({ onQuote }, { onStrategyStop: 'keep' });
    const [market] = r.ctx().markets;
    const takeProfit = [1010, 1020].map((at) => ({ at, share: 0.5, resting: true }));
    const trade = r.ctx().enter({ market: market!, side: 'LONG', size: '0.01', stopLoss: 980, takeProfit })!;
    r.venue.accepted(trade.id, 'v1');
    r.venue.pushedFill(trade.id, 10, 10_002);
    const targets = r.venue.commands.slice(1).map(({ seq }) => seq);
    for (const seq of targets) r.venue.accepted(seq, `v${seq}`);
    r.venue.commands.length = 0;
    isBroken = true;
    for (let k = 0; k < 20; k++) r.kernel.inbox.onQuote(0, 10_000 - k, 1, 10_002, 1);
    r.venue.pushedFill(targets[0]!, 5, 10_100);
    // More size would withdraw the other target.
    trade.close('by hand');
    r.advance(5_000);
    expect(trade.size).toBe(0.005);
    expect(r.venue.commands).toEqual([]);
  });

  it('cancel: its order is cancelled, its position stays', () => {
    const r = stopped('cancel');
    r.advance(1_000);
    expect(r.venue.commands).toMatchObject([{ kind: CANCEL, target: r.resting }]);
  });

  it('flatten: its order is cancelled, then its position is closed at market', () => {
    const r = stopped('flatten');
    r.advance(1_000);
    expect(r.venue.commands[0]).toMatchObject({ kind: CANCEL, target: r.resting });
    r.venue.pushedEnd(r.resting, CANCELLED);
    r.advance(1_000);
    expect(r.venue.commands.some(({ effect, type, size }) => effect === CLOSE && type === MARKET && size === 10)).toBe(true);
  });
});

describe('a strategy that hung in the last process', () => {
  const HUNG = { scope: 'strategy:probe', code: 'strategy-hung', detail: 'onBar did not return', since: 1, by: 'bot', seq: 0 };

  it('is not called until an operator resumes it, then from onStart on', () => {
    const calls: string[] = [];
    const r = rig({ onStart: () => void calls.push('start'), onQuote: () => void calls.push('quote') });
    r.kernel.restore({ version: 1, nextSeq: 1, orders: [], halts: [HUNG], strategies: {} });
    r.kernel.inbox.start();
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(calls).toEqual([]);
    expect(r.kernel.status().strategies[0]).toMatchObject({
      isDisabled: true,
      why: 'onBar did not return; `tickwright resume probe` allows it again',
    });
    r.kernel.inbox.operate({ name: 'resume', scope: 'probe', confirmed: false, by: 'ann', why: 'mended' });
    r.kernel.inbox.onQuote(0, 10_001, 5_000, 10_003, 5_000);
    expect(calls).toEqual(['start', 'quote']);
    expect(r.kernel.halts()).toEqual([]);
  });

  it('is not affected by the halt of another strategy', () => {
    const calls: string[] = [];
    const r = rig({ onQuote: () => void calls.push('quote') });
    r.kernel.restore({ version: 1, nextSeq: 1, orders: [], halts: [{ ...HUNG, scope: 'strategy:other' }], strategies: {} });
    r.kernel.inbox.start();
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(calls).toEqual(['quote']);
  });
});
