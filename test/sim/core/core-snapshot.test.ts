/** Snapshots of a venue with a long history: their size is limited, and writing and reading them is fast. */
import { expect, test } from 'vitest';
import { boundsFor } from '../../../src/run/exchange/exchange-venue.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { BTC, instrumentsOf, order, specOf } from '../../support/sim/sim-kit.ts';

test('accounts and symbols share the history limit, each with at least one page', () => {
  expect(boundsFor(1, 4)).toEqual({ historyLimit: 20_000, keepTrades: 10_000 });
  expect(boundsFor(20, 50)).toEqual({ historyLimit: 5_000, keepTrades: 8_000 });
  expect(boundsFor(1_000, 1_000)).toEqual({ historyLimit: 1_000, keepTrades: 1_000 });
});

test('the full history of 20 accounts and all recent trades take less than 25 MB', () => {
  const { historyLimit, keepTrades } = boundsFor(20, 50);
  const accounts = Array.from({ length: 20 }, (_, k) => ({ name: `account-${k + 1}`, futures: '10000', spot: {} }));
  const sim = new VenueSim(specOf(instrumentsOf(BTC), { accounts, historyLimit, keepTrades }), null);
  const start = 1_700_000_000_000;
  sim.quote(0, 600_000, 1_000, 600_010, 1_000, start);
  for (let k = 0; k < keepTrades; k++) sim.trade(0, 600_000, 1 + (k % 999), k % 2, start + k, 100_000_000 + k);
  for (let k = 0; k < historyLimit * 20; k++) {
    const [account, time] = [k % 20, start + keepTrades + k];
    sim.cancel(account, sim.place(account, order({ price: 500_000 + (k % 999), stopLoss: 400_000 }), k + 1, time), time);
  }
  const text = JSON.stringify(sim.snapshot());
  expect(text.length).toBeLessThan(25_000_000);
  const again = new VenueSim(specOf(instrumentsOf(BTC), { accounts, historyLimit, keepTrades }), null);
  again.restore(JSON.parse(text) as ReturnType<VenueSim['snapshot']>);
  expect(JSON.stringify(again.snapshot()) === text).toBe(true);
  again.audit();
});

test('a snapshot of an earlier release, which names the slow mid slowMiddle, is read', () => {
  const spec = specOf(instrumentsOf(BTC), { accounts: [{ name: 'one', futures: '10000', spot: {} }] });
  const sim = new VenueSim(spec, null);
  sim.quote(0, 600_000, 1_000, 600_010, 1_000, 1_700_000_000_000);
  const text = JSON.stringify(sim.snapshot());
  expect(text).toContain('"slowMid"');
  const again = new VenueSim(spec, null);
  again.restore(JSON.parse(text.replaceAll('"slowMid"', '"slowMiddle"')) as ReturnType<VenueSim['snapshot']>);
  expect(JSON.stringify(again.snapshot())).toBe(text);
});
