/**
 * Executions on random markets with the whole simulated venue: the venue's fills of each are what it says, never more than asked for, and
 * each ends. `TICKWRIGHT_EXECUTION_RUNS` sets the number of markets.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START, writeRandomTape } from '../../support/backtest/reference-strategy.ts';

const RUNS = Number(process.env['TICKWRIGHT_EXECUTION_RUNS'] ?? 6);

interface Ended {
  readonly kind: string;
  readonly reason: string;
  readonly effect: string;
  readonly size: number;
  readonly filled: number;
  readonly why: string;
}
interface Seen {
  readonly ended: Ended[];
  started: number;
  open: number;
  opens: { reason: string; hasStop: boolean }[];
  mostGrid: number;
  twice: string[];
}
const results = globalThis as unknown as { seenExecutions: Seen };

const BODY = `
    const seen = (globalThis as any).seenExecutions;
    const pick = (ctx: any, list: any[]) => list[Math.floor(ctx.random() * list.length)];
    const effects: any = {};
    return {
      onQuote(market: any, ctx: any) {
        const open = ctx.executions(market);
        seen.open = open.length;
        for (const e of open) {
          const own = market.orders.filter((o: any) => o.number === e.order);
          if (own.length > 1) seen.twice.push(e.reason);
          if (e.kind === 'grid') seen.mostGrid = Math.max(seen.mostGrid, e.filled);
        }
        if (ctx.now > params.until) { for (const e of open) e.cancel('the end'); if (open.length === 0) ctx.close(market, 'LONG'); return; }
        if (open.length < 3 && ctx.random() < params.often) {
          const reason = 'x' + ++seen.started;
          const kind = pick(ctx, ['twap', 'iceberg', 'peg', 'oco', 'oco', 'grid']);
          const isClose = market.long.free >= 0.02 && ctx.random() < 0.5 && kind !== 'grid';
          const effect = isClose ? 'CLOSE' : 'OPEN';
          effects[reason] = effect;
          const sign = isClose ? -1 : 1;
          const at = (ticks: number) => (sign > 0 ? market.bid : market.ask) + sign * ticks * market.tick;
          const stopLoss = isClose ? undefined : pick(ctx, [undefined, market.bid * 0.9999, market.bid * 0.995]);
          const base = { market, side: 'LONG', effect, size: pick(ctx, ['0.02', '0.05']), stopLoss, reason };
          let made: any = null;
          if (kind === 'twap') made = ctx.twap({ ...base, durationMs: pick(ctx, [2000, 7000]), slices: pick(ctx, [3, 5]), limit: pick(ctx, [undefined, at(5), at(-2)]) });
          if (kind === 'iceberg') made = ctx.iceberg({ ...base, limit: at(pick(ctx, [-1, 0, 3])), show: pick(ctx, ['0.003', '0.01']), expiresInMs: 5000 });
          if (kind === 'peg') made = ctx.peg({ ...base, to: pick(ctx, ['bid', 'ask', 'mid']), offset: pick(ctx, [0, market.tick]), everyMs: 200, expiresInMs: 6000, postOnly: pick(ctx, [undefined, true]) });
          if (kind === 'oco') made = ctx.oco({ market, size: base.size, reason, expiresInMs: 8000, orders: isClose
            ? [{ side: 'LONG', effect, limit: at(-3) }, { side: 'LONG', effect, trigger: at(3) }]
            : pick(ctx, [[{ side: 'LONG', limit: at(0), stopLoss }, { side: 'LONG', trigger: at(4), stopLoss }], [{ side: 'LONG', limit: at(0) }, { side: 'LONG', limit: at(-4) }]]) });
          if (kind === 'grid') made = ctx.grid({ market, side: 'LONG', from: at(-1), to: at(-4), levels: 4, size: '0.005', stopLoss, expiresInMs: 6000, rounds: pick(ctx, [undefined, 1]), reason });
          if (made === null) seen.started--;
        } else if (open.length > 0 && ctx.random() < 0.005) pick(ctx, [...open]).cancel('at random');
      },
      onExecution(e: any) { seen.ended.push({ kind: e.kind, reason: e.reason, effect: effects[e.reason], size: e.size, filled: e.filled, why: e.why }); },
    };`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'executions-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([true, false])('with every tick %s', (everyTick) => {
  test(`on ${RUNS} random markets`, { timeout: 300_000 + RUNS * 20_000 }, async () => {
    const why = new Map<string, number>();
    const kinds = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed++) {
      const tape = join(folder, `tape-${seed}-${everyTick}`);
      writeRandomTape(tape, { seed, rows: 18_000, symbols: 1, stepMs: 20 });
      const seen: Seen = { ended: [], started: 0, open: 0, opens: [], mostGrid: 0, twice: [] };
      results.seenExecutions = seen;
      // A polled strategy sees fewer quotes.
      const body = BODY.replaceAll('params.until', String(TAPE_START + 60_000)).replaceAll('params.often', everyTick ? '0.08' : '0.7');
      const file = strategyFile(folder, body);
      const report = await backtest(tape, file, { everyTick, seed, config: configWith({ simulation: { fillModel: 'queue' } }) });
      expect(report.failed, `seed ${seed}`).toEqual([]);
      expect(report.notes.join('\n')).not.toMatch(/threw/);
      expect(seen.open, `seed ${seed}: executions that did not end`).toBe(0);
      expect(seen.ended.length).toBe(seen.started);
      expect(seen.twice).toEqual([]);
      expect(seen.mostGrid).toBeLessThanOrEqual(0.02 + 1e-9);
      for (const { kind, reason, effect, size, filled, why: how } of seen.ended) {
        const fills = report.fills.filter((fill) => fill.reason === reason);
        const sum = fills.reduce((total, fill) => total + Number(fill.size), 0);
        kinds.set(kind, (kinds.get(kind) ?? 0) + (filled > 0 || kind === 'grid' ? 1 : 0));
        why.set(how, (why.get(how) ?? 0) + 1);
        if (kind === 'grid') continue;
        expect(sum, `seed ${seed}, ${kind} ${reason} ${how}`).toBeCloseTo(filled, 9);
        expect(filled).toBeLessThanOrEqual(size + 1e-9);
        for (const fill of fills) expect(fill.side).toBe(effect === 'OPEN' ? 'BUY' : 'SELL');
        if (how === 'filled') expect(filled).toBeCloseTo(size, 9);
      }
    }
    console.info(`${[...kinds].join(' ')}; ${[...why].join(' ')}`);
    for (const kind of ['twap', 'iceberg', 'peg', 'oco', 'grid']) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(0);
    // Between two polls of the quotes most are over before their stop-loss fires.
    for (const how of ['filled', 'time', 'at random', ...(everyTick ? ['stop-loss'] : [])]) expect([...why.keys()]).toContain(how);
  });
});
