/** A symbol that the venue does not know any more stops neither the reads of the account nor the opens of other symbols. */
import { describe, expect, test } from 'vitest';
import type { Query } from '../../src/ports/venue.ts';
import { btc, polledRig, POLLS, positionReport, rig, settleReads, type Rig } from '../support/engine-kit.ts';

const TWO = { instruments: [btc(), btc(1, 'ETHUSDT')] };

/** For `ms`, reads of one of these symbols fail: it does not exist. The others are answered, with `lots` long of BTCUSDT. */
function gone(r: Rig, ms: number, symbols: readonly number[], lots = 0): void {
  const isGone = ({ kind, instrument }: Query): boolean => (kind === 'account' || kind === 'positions') && symbols.includes(instrument);
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let k = 0; r.open.length > 0; k++) {
      if (k === 20) throw new Error('refused reads are repeated without a pause');
      for (const query of r.open.splice(0)) {
        if (isGone(query)) r.venue.failed(query, 'unknown-instrument');
        else {
          const later = r.open.splice(0);
          r.open.push(query);
          settleReads(r, [], lots === 0 ? [] : [positionReport(0, lots, { updatedAt: r.clock.time })]);
          r.open.push(...later);
        }
      }
    }
  }
}

const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ scope, code }) => `${scope} ${code}`);

describe('the account is read with another symbol if the venue does not know the first', () => {
  test('opens of the other symbols go on', () => {
    const r = polledRig({}, TWO);
    gone(r, 120_000, [0]);
    expect(halts(r)).toContain('symbol:BTCUSDT offline');
    expect(halts(r)).not.toContain('bot account-unread');
    r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
    expect(r.ctx().limit(r.ctx().markets[1]!, 'LONG', 'OPEN', 999, '0.01')).toBeGreaterThan(0);
  });

  test('and with the first again when the venue knows it', () => {
    const r = polledRig({}, TWO);
    gone(r, 10_000, [0]);
    gone(r, 10_000, []);
    gone(r, 120_000, [1]);
    expect(halts(r)).toEqual(expect.arrayContaining(['symbol:ETHUSDT offline']));
    expect(halts(r)).not.toContain('bot account-unread');
  });

  test('if none answers, opens are halted until one does', () => {
    const r = polledRig({}, TWO);
    gone(r, 120_000, [0, 1]);
    expect(halts(r)).toContain('bot account-unread');
    gone(r, 10_000, [0]);
    expect(halts(r)).not.toContain('bot account-unread');
  });

  test('at the start, too', () => {
    const r = rig({}, { polls: POLLS, ...TWO });
    r.kernel.inbox.start();
    for (let k = 0; k < 100 && r.kernel.phase !== 'armed'; k++) gone(r, 100, [0]);
    expect([r.kernel.phase, r.ctx().account.equity]).toEqual(['armed', 10_000]);
    gone(r, 10_000, [0]);
    expect(halts(r)).toContain('symbol:BTCUSDT offline');
  });
});
