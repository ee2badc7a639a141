/** A flatten that is rehearsed sends nothing, says what the real one then does, and is compared with it. */
import { describe, expect, test } from 'vitest';
import { CLOSE, MARKET } from '../../../../src/domain/codes.ts';
import { LIST_LAG_MS } from '../../../../src/domain/time/timings.ts';
import type { Forecast, ForecastScore } from '../../../../src/domain/messages/forecast.ts';
import type { OperatorCommand } from '../../../../src/engine/operator/command.ts';
import { EMPTY_SNAPSHOT, foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { KEPT_MS } from '../../../../src/engine/operator/flat/forecast.ts';
import { orderReport, polledRig, positionReport, restarted, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const ANN = { by: 'ann', why: '' } as const;

/** Armed on a LONG leg of `total` lots, `own` of them by orders of this bot. */
function holding(own: number, total = own): Rig {
  return restarted({ ...EMPTY_SNAPSHOT, legs: [{ symbol: 'BTCUSDT', side: 0, total, own, provenAt: 0 }] }, total);
}

function rehearse(r: Rig, of: 'flatten' | 'kill' = 'flatten', scope = ''): Forecast & { readonly did: string } {
  const result = r.kernel.inbox.operate({ name: 'rehearse', of, scope, ...ANN });
  if (!result.ok || result.forecast === undefined) throw new Error(JSON.stringify(result));
  return { ...result.forecast, did: result.did.join('\n') };
}

function type(r: Rig, name: 'flatten' | 'kill', scope = ''): void {
  const command: OperatorCommand = name === 'kill' ? { name, ...ANN } : { name, scope, ...ANN };
  expect(r.kernel.inbox.operate(command).ok).toBe(true);
}

/** The venue accepts every order, fills closes at this price in ticks, and shows the rest, until nothing is flattened any more. */
function untilFlat(r: Rig, lots: number, price = 10_000): void {
  const ended = new Map<number, ReturnType<typeof orderReport>>();
  for (let k = 0; r.kernel.halts().some(({ code }) => code === 'flatten') && k < 400; k++) {
    for (const one of r.venue.commands) {
      if (ended.has(one.seq)) continue;
      const isClose = one.effect === CLOSE && one.type === MARKET;
      const fee = Math.round(one.size * price * 0.1 * 0.001 * 1e8 * 0.0006);
      const done = isClose ? orderReport({ ...one }, 'filled', { averagePrice: price / 10, fee }) : null;
      if (done === null) continue;
      ended.set(one.seq, done);
      r.venue.accepted(one.seq, `v${one.seq}`);
    }
    r.advance(100);
    settleReads(r, [...ended.values()], lots === 0 ? [] : [positionReport(0, lots, { updatedAt: r.clock.time })]);
  }
}

const scoreOf = (r: Rig): ForecastScore | null => r.kernel.status().flattened.at(-1)!.score;

describe('flatten --rehearse', () => {
  test('names cancels and closes with price, age and cost; sends, halts and journals nothing else', () => {
    const r = holding(10);
    const open = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.02);
    r.venue.accepted(open, 'v1');
    r.advance(300);
    const [commands, records] = [r.venue.commands.length, r.records.length];
    const forecast = rehearse(r);
    // A rehearsal is no command that was given: nobody is warned of it.
    expect(r.log.lines.at(-1)).toMatchObject({ level: 'info', event: 'rehearsed', fields: { of: 'flatten', by: 'ann' } });
    expect(forecast).toMatchObject({
      command: 'flatten',
      scope: 'bot',
      cancels: [{ number: open, symbol: 'BTCUSDT', what: 'LONG OPEN', size: '0.020', state: 'working' }],
      closes: [
        {
          symbol: 'BTCUSDT',
          side: 'LONG',
          size: '0.010',
          orders: ['0.010'],
          price: '1000.0',
          priceOf: 'book ticker',
          shown: '5.000',
          fee: '0.006',
          slippage: '0.001',
          mayGrow: '0.020',
          waits: '',
        },
      ],
      stays: [],
      fee: '0.006',
      slippage: '0.001',
      proofMs: LIST_LAG_MS,
    });
    expect(forecast.closes[0]!.ageMs).toBeGreaterThanOrEqual(0);
    expect(forecast.did).toContain(
      `cancels order ${open} BTCUSDT LONG OPEN 0.020: working\ncloses BTCUSDT LONG 0.010 by a market order at about 1000.0 (book ticker, `,
    );
    expect([r.venue.commands.length, r.kernel.halts(), r.records.slice(records).map(({ kind }) => kind)]).toEqual([
      commands,
      [],
      ['forecast'],
    ]);
  });

  test('a close beyond the largest order is several, and what the book ticker does not show is said', () => {
    const r = holding(250_000);
    const { did, closes } = rehearse(r);
    expect(closes[0]!.orders).toEqual(['100.000', '100.000', '50.000']);
    expect(did).toContain('which shows 5.000: the rest fills at worse prices');
  });

  test('says what it leaves: lots of others, which a kill closes as well', () => {
    const r = holding(10, 15);
    expect(rehearse(r).closes).toMatchObject([{ size: '0.010' }]);
    expect(rehearse(r).stays.join()).toContain('0.010 are closed, 0.005 stay');
    expect(rehearse(r, 'kill').closes).toMatchObject([{ size: '0.015' }]);
    expect(r.kernel.halts()).toEqual([]);
  });

  test('an unknown scope is refused as that of the real one', () => {
    expect(holding(1).kernel.inbox.operate({ name: 'rehearse', of: 'flatten', scope: 'DOGEUSDT', ...ANN })).toMatchObject({
      code: 'no-such-scope',
    });
  });
});

describe('a forecast', () => {
  test('is compared with the same command that follows, in the journal too', () => {
    const r = holding(10);
    rehearse(r);
    type(r, 'flatten');
    untilFlat(r, 0, 9_990);
    const score = scoreOf(r)!;
    expect(score.outcome).toMatchObject({
      closes: [{ symbol: 'BTCUSDT', side: 'LONG', size: '0.010', orders: 1, price: '999.0', fee: '0.005994', slippage: '0.011' }],
      cancels: 0,
      filled: [],
      fee: '0.005994',
      slippage: '0.011',
    });
    expect(score.differs).toEqual([]);
    expect(score.outcome.flatMs).toBeGreaterThanOrEqual(LIST_LAG_MS);
    expect(r.records.find(({ kind }) => kind === 'forecast-scored')?.data).toEqual({ score });
  });

  const folded = (r: Rig) =>
    foldRecords({ ...EMPTY_SNAPSHOT, legs: [{ symbol: 'BTCUSDT', side: 0, total: 10, own: 10, provenAt: 0 }] }, r.records);

  test('survives a restart: the journal alone knows what the process knew', () => {
    const before = holding(10);
    rehearse(before, 'flatten', 'BTCUSDT');
    rehearse(before);
    const snapshot = folded(before);
    expect(snapshot.forecasts).toEqual(before.kernel.snapshot().forecasts);
    expect(snapshot.forecasts?.kept.map(({ scope }) => scope)).toEqual(['symbol:BTCUSDT', 'bot']);
    const r = restarted(snapshot, 10);
    type(r, 'flatten');
    expect(foldRecords(snapshot, r.records).forecasts).toEqual(r.kernel.snapshot().forecasts);
    untilFlat(r, 0, 9_990);
    expect(scoreOf(r)).toMatchObject({ outcome: { closes: [{ size: '0.010' }] }, differs: [] });
    expect(foldRecords(snapshot, r.records).forecasts?.kept.map(({ scope }) => scope)).toEqual(['symbol:BTCUSDT']);
    expect(r.kernel.snapshot().forecasts).toMatchObject({ running: [] });
  });

  test('whose flattening began before a restart says that its outcome is only a part', () => {
    const before = holding(10);
    rehearse(before);
    type(before, 'flatten');
    const snapshot = folded(before);
    expect(snapshot.forecasts).toMatchObject({ kept: [], running: [{ scope: 'bot' }] });
    const r = restarted(snapshot, 10);
    untilFlat(r, 0, 9_990);
    expect(scoreOf(r)).toMatchObject({ outcome: { fee: '', slippage: '' }, differs: [expect.stringContaining('started again meanwhile')] });
    expect(r.kernel.snapshot().forecasts).toBeUndefined();
  });

  test('that came out otherwise says where', () => {
    const r = holding(10, 15);
    rehearse(r);
    const open = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.02);
    r.venue.accepted(open, 'v1');
    type(r, 'flatten');
    r.advance(1);
    expect(r.kernel.inbox.operate({ name: 'resume', scope: '', confirmed: true, ...ANN }).ok).toBe(true);
    expect(scoreOf(r)!.differs).toEqual([
      '1 of its orders were cancelled, the forecast was 0',
      'BTCUSDT LONG: 0.000 was closed, the forecast was 0.010',
      'it was ended before it was flat',
    ]);
  });

  test('is of one scope and one command, is used once, and not after ten minutes', () => {
    const r = holding(10);
    rehearse(r, 'kill');
    rehearse(r, 'flatten', 'BTCUSDT');
    type(r, 'flatten');
    untilFlat(r, 0);
    expect(scoreOf(r)).toBe(null);
    type(r, 'flatten', 'BTCUSDT');
    untilFlat(r, 0);
    expect(scoreOf(r)!.differs).toEqual(['BTCUSDT LONG: 0.010 was to be closed, and no order of it was']);
    rehearse(r);
    r.advance(KEPT_MS + 1);
    type(r, 'flatten');
    untilFlat(r, 0);
    expect(scoreOf(r)).toBe(null);
  });
});

test('nothing to flatten is said, and proven flat all the same', () => {
  const r = polledRig();
  expect(rehearse(r).did).toContain('there is nothing to send');
});
