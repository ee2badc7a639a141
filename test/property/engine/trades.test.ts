/**
 * Managed trades on random markets with the whole simulated venue: whatever they are asked for, they hold what was asked for at most, they
 * end, and what they say was closed is what the venue closed. `TICKWRIGHT_TRADE_RUNS` sets the number of markets.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportedFill } from '../../../src/report/run-report.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START, writeRandomTape } from '../../support/backtest/reference-strategy.ts';

const RUNS = Number(process.env['TICKWRIGHT_TRADE_RUNS'] ?? 10);

interface Ended {
  readonly id: number;
  readonly entered: number;
  readonly exits: readonly { readonly size: number; readonly why: string }[];
}
interface Seen {
  readonly ended: Ended[];
  open: number;
  entries: number;
  mismatches: string[];
  rested: number;
  locked: number;
  mostHeld: number;
  askedFor: number;
}
const results = globalThis as unknown as { seenTrades: Seen };

const BODY = `
    const seen = (globalThis as any).seenTrades;
    let quotes = 0;
    const since: any = {};
    const pick = (ctx: any, list: any[]) => list[Math.floor(ctx.random() * list.length)];
    return {
      onQuote(market: any, ctx: any) {
        quotes++;
        const open = ctx.trades(market);
        seen.open = open.filter((t: any) => t.size > 0).length;
        for (const side of ['LONG', 'SHORT']) {
          const held = open.filter((t: any) => t.side === side).reduce((sum: number, t: any) => sum + t.size, 0);
          const leg = side === 'LONG' ? market.long : market.short;
          // A bracket that fired is known by the leg before its record explains it.
          const isEqual = Math.abs(held - leg.size) < 1e-9;
          since[side] = isEqual ? ctx.now : since[side] ?? ctx.now;
          if (ctx.now - since[side] > 4000) seen.mismatches.push(quotes + ' ' + side + ': trades ' + held + ', leg ' + leg.size);
          seen.mostHeld = Math.max(seen.mostHeld, held);
        }
        // Resting orders lock the size that the venue's stop-loss is to close.
        if (seen.rested === 0) seen.locked += market.orders.filter((o: any) => o.effect === 'CLOSE' && o.type === 'LIMIT').length;
        if (ctx.now > params.until) { for (const trade of open) trade.close('the end'); return; }
        if (open.length < 3 && ctx.random() < 0.05) {
          const side = pick(ctx, ['LONG', 'SHORT']);
          const sign = side === 'LONG' ? 1 : -1;
          const at = (percent: number) => market.mid * (1 + (sign * percent) / 100);
          const resting = pick(ctx, [undefined, undefined, true]);
          if (resting) seen.rested++;
          const trade = ctx.enter({
            market, side, size: pick(ctx, ['0.003', '0.01', '0.02']),
            limit: pick(ctx, [undefined, side === 'LONG' ? market.bid : market.ask]),
            expiresInMs: pick(ctx, [undefined, 400]),
            stopLoss: pick(ctx, [at(-0.008), at(-0.5)]),
            takeProfit: pick(ctx, [undefined, at(0.05), [{ at: at(0.008), share: 0.5, resting }, { at: at(0.02), share: 0.3 }]]),
            trailing: pick(ctx, [undefined, { percent: 0.01 }, { distance: market.tick * 8, after: 0.004 }]),
            breakEven: pick(ctx, [undefined, { after: 0.02, plus: 0.005 }]),
            maxHoldMs: pick(ctx, [undefined, 700, 5000]),
            ladder: pick(ctx, [undefined, [{ at: at(-0.02), size: '0.005' }]]),
          });
          if (trade !== null) seen.entries++;
        } else if (open.length > 0 && ctx.random() < 0.01) pick(ctx, [...open]).close('at random');
      },
      onExit(trade: any) { seen.ended.push({ id: trade.id, entered: trade.entered, exits: trade.exits }); },
    };`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trades-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([true, false])('with every tick %s', (everyTick) => {
  test(`on ${RUNS} random markets`, { timeout: 300_000 + RUNS * 10_000 }, async () => {
    const reasons = new Set<string>();
    let entries = 0;
    for (let seed = 1; seed <= RUNS; seed++) {
      const tape = join(folder, `tape-${seed}-${everyTick}`);
      writeRandomTape(tape, { seed, rows: 12_000, symbols: 1, stepMs: 20 });
      const seen: Seen = { ended: [], open: 0, entries: 0, mismatches: [], rested: 0, locked: 0, mostHeld: 0, askedFor: 0 };
      results.seenTrades = seen;
      const file = strategyFile(folder, BODY.replaceAll('params.until', String(TAPE_START + 60_000)));
      const report = await backtest(tape, file, { everyTick, seed, config: configWith({ simulation: { fillModel: 'queue' } }) });
      expect(report.failed, `seed ${seed}`).toEqual([]);
      expect(report.notes.join('\n')).not.toMatch(/threw/);
      expect(seen.mismatches, `seed ${seed}`).toEqual([]);
      expect(seen.open, `seed ${seed}: trades hold something at the end`).toBe(0);
      expect(seen.locked, `seed ${seed}`).toBe(0);
      expect(seen.mostHeld).toBeLessThanOrEqual(3 * 0.025 + 1e-9);
      for (const { id, entered, exits } of seen.ended) {
        const left = exits.reduce((sum, { size }) => sum + size, 0);
        expect(left, `seed ${seed}, trade ${id}`).toBeCloseTo(entered, 9);
        for (const { why } of exits) reasons.add(why);
      }
      const signed = ({ side, positionSide, size }: ReportedFill): number =>
        Number(size) * ((side === 'BUY') === (positionSide === 'LONG') ? 1 : -1);
      const held = report.fills.reduce((sum, fill) => sum + signed(fill), 0);
      expect(held, `seed ${seed}: left at the venue`).toBeCloseTo(0, 9);
      entries += seen.entries;
    }
    expect(entries).toBeGreaterThan(4 * RUNS);
    for (const why of ['stop-loss', 'target', 'time', 'trailing-stop', 'at random']) expect([...reasons]).toContain(why);
  });
});
