/** A session whose strategy needs history is explained by a backtest that begins with the history which the session read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/base/time/time-spans.ts';
import { divergenceOf } from '../../../src/run/live/counterfactual/divergence.ts';
import { recordVirtualSession, type VirtualSession } from '../../support/sessions/virtual-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwright-start-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const recorded = (name: string, more: Partial<VirtualSession>): Promise<string> =>
  recordVirtualSession({
    sessions: join(folder, name),
    startedAt: Date.parse('2026-11-30T10:00:03Z'),
    durationMs: 3 * MINUTE_MS,
    choices: [{ file: 'test/e2e/strategies/warm.ts', symbols: ['BTCUSDT'], params: {} }],
    pastMs: 6 * MINUTE_MS,
    ...more,
  });

it('the first run begins with the pages of trades that the session read at its start', async () => {
  const { sessions, notes, residual } = await divergenceOf(await recorded('pages', {}));
  const { rungs } = sessions[0]!;
  const [first, live] = [rungs[0]!, rungs.at(-1)!];
  expect([first.upTo, live.upTo, residual, notes]).toEqual(['backtest', 'live', '0.00000000', []]);
  expect(live.orders).toBeGreaterThan(8);
  expect(first).toMatchObject({ orders: live.orders, same: live.orders, fills: live.fills });
  expect(rungs.map(({ same }) => same)).toEqual(rungs.map(() => live.orders));
});

it('a note names the bars that the first run lacked to its end, where the session read no history', async () => {
  const { sessions, notes } = await divergenceOf(await recorded('none', { historyPages: 0 }));
  expect(sessions[0]!.rungs[0]).toMatchObject({ upTo: 'backtest', orders: 0 });
  expect(notes).toEqual([
    expect.stringMatching(
      /^warm never started in the backtest: at the end of the session it was still warming up, with \d+ of 30 10s bars of BTCUSDT/,
    ),
  ]);
});
