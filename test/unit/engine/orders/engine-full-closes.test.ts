/** A close of the whole position whose outcome is unknown: it is repeated for what the position shows, and failed reads are repeated. */
import { expect, test } from 'vitest';
import { CLOSE, LONG, SHORT } from '../../../../src/domain/codes.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import { polledRig, positionReport, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

/** A LONG position of ten lots and a market order that closes it, of unknown outcome. */
function closing(): Rig & {
  readonly sizes: () => number[];
  readonly asked: () => Query | undefined;
  readonly others: (ms: number) => void;
} {
  const r = polledRig({}, { external: { position: 'adopt' } });
  for (let k = 0; k < 4; k++) {
    r.advance(1_000);
    settleReads(r, [], [positionReport(LONG, 10, { updatedAt: r.clock.time })]);
  }
  const n = r.ctx().close(r.ctx().markets[0]!, 'LONG');
  expect(n).toBeGreaterThan(0);
  r.venue.unknown(n, 'timeout');
  const isAsked = (query: Query): boolean => query.kind === 'positions' && query.instrument === 0;
  return {
    ...r,
    sizes: () => r.venue.commands.filter(({ effect }) => effect === CLOSE).map(({ size }) => size),
    /** Takes the read of the position of this symbol. */
    asked() {
      const at = r.open.findIndex(isAsked);
      return at < 0 ? undefined : r.open.splice(at, 1)[0];
    },
    /** All other reads go unanswered for a while. */
    others(ms) {
      for (let left = ms; left > 0; left -= 100) {
        r.advance(Math.min(100, left));
        for (let at = r.open.length - 1; at >= 0; at--) if (!isAsked(r.open[at]!)) r.open.splice(at, 1);
      }
    },
  };
}

test('what is left is closed by a new order', () => {
  const r = closing();
  r.others(100);
  r.venue.answered(r.asked()!, { kind: 'positions', positions: [positionReport(LONG, 4)] }, r.clock.time, r.clock.time);
  expect(r.sizes()).toEqual([10, 4]);
});

test('a read that fails is repeated after a second, as often as it fails', () => {
  const r = closing();
  r.others(100);
  for (let k = 0; k < 3; k++) {
    r.venue.failed(r.asked()!, 'timeout');
    r.others(999);
    expect(r.asked()).toBeUndefined();
    r.others(2);
  }
  r.venue.answered(r.asked()!, { kind: 'positions', positions: [positionReport(LONG, 10)] }, r.clock.time, r.clock.time);
  expect(r.sizes()).toEqual([10, 10]);
});

test('failed reads of two positions are repeated each in its time', () => {
  const r = polledRig({}, { external: { position: 'adopt' } });
  for (let k = 0; k < 4; k++) {
    r.advance(1_000);
    settleReads(
      r,
      [],
      [LONG, SHORT].map((side) => positionReport(side, 10, { updatedAt: r.clock.time })),
    );
  }
  /** The next read of one position while all others go unanswered; how many milliseconds it took. */
  const wait = (most: number): number => {
    for (let ms = 0; ms <= most; ms++) {
      if (r.open.splice(0).some(({ kind, instrument }) => kind === 'positions' && instrument === 0)) return ms;
      r.advance(1);
    }
    return Infinity;
  };
  const asked = (side: 'LONG' | 'SHORT'): Query => {
    r.open.length = 0;
    r.venue.unknown(r.ctx().close(r.ctx().markets[0]!, side), 'timeout');
    while (!r.open.some(({ kind }) => kind === 'positions')) r.advance(1);
    return r.open.splice(0).find(({ kind }) => kind === 'positions')!;
  };
  r.venue.failed(asked('LONG'), 'timeout');
  const short = asked('SHORT');
  r.advance(500);
  r.open.length = 0;
  r.venue.failed(short, 'timeout');
  expect([wait(1_000), wait(1_000)]).toEqual([500, 500]);
});

test('only a market order that closes makes reads urgent, and none that rests', () => {
  const r = polledRig({}, { external: { position: 'adopt' } });
  for (let k = 0; k < 4; k++) {
    r.advance(1_000);
    settleReads(r, [], [positionReport(LONG, 10, { updatedAt: r.clock.time })]);
  }
  const [market] = r.ctx().markets;
  const accepted = (n: number): boolean => {
    r.venue.accepted(n, `v${n}`);
    return r.kernel.hasOpenExit;
  };
  expect(accepted(r.ctx().open(market!, 'LONG', { size: '0.001' }))).toBe(false);
  expect(accepted(r.ctx().limit(market!, 'LONG', 'CLOSE', 1010, '0.001'))).toBe(false);
  expect(accepted(r.ctx().close(market!, 'LONG', { size: '0.001' }))).toBe(true);
});
