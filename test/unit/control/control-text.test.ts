/** Answers of the control plane as readable text in a terminal of 80 columns. */
import { describe, expect, test } from 'vitest';
import { controlText, type TextOptions } from '../../../src/cli/bot/control-text.ts';
import type { FillAnswer, PositionAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import { NO_STATUS, positionsOf } from '../../../src/run/bot/answers/views.ts';
import { Leg } from '../../../src/engine/state/records/leg.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import { btc } from '../../support/engine/engine-kit.ts';

const OPTIONS: TextOptions = { isStopped: false, paint: (_, text) => text, width: 80 };

const POSITION: PositionAnswer = {
  symbol: 'BTCUSDT',
  side: 'LONG',
  size: '0.010',
  entryPrice: '60001.80',
  price: '60018.05',
  value: '600.18',
  unrealised: '0.16',
  liquidationPrice: '54321.00',
  opening: '0.000',
  closing: '0.000',
};

const FILL: FillAnswer = {
  time: Date.UTC(2026, 10, 22, 15, 16, 43),
  number: 1,
  symbol: 'BTCUSDT',
  strategy: 'ema-cross',
  side: 'LONG',
  effect: 'CLOSE',
  size: '0.010',
  price: '60001.80',
  value: '600.01800000',
  fee: '0.3600108',
  profit: '-0.64200000',
  positionAfter: '0.000',
  reason: 'the averages crossed: SHORT',
};

const IDLE = { name: 'rotation', symbols: [], params: {}, set: [], errors: 0, isDisabled: false, warmingUp: '' };

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  return lines;
}

describe('text for a terminal of 80 columns', () => {
  test('what a command did, what is still open and what ends a halt are broken at the width', () => {
    const long = 'opening orders that it sent before may still reach the venue, and are not named here, whatever its process does';
    const act = { ok: true, command: 'kill', did: [long], open: [long, long], isDone: false, recorded: true };
    expect(linesOf(controlText('kill', act, OPTIONS)).filter((line) => line.startsWith('  opening'))).toHaveLength(2);
    const halt = {
      scope: 'bot',
      code: 'operator',
      detail: long,
      since: 0,
      by: 'ann and watchdog',
      ends: `tickwright resume, after ${long}`,
    };
    linesOf(controlText('status', { ...NO_STATUS, bot: 'b', halts: [halt] }, OPTIONS));
  });

  test('status names the symbols of a universe once for each time since when they are in', () => {
    const [first, second] = [Date.UTC(2026, 10, 29), Date.UTC(2026, 10, 30)];
    const universe = {
      by: 'volume',
      top: 3,
      candidates: 4,
      terms: '',
      at: second,
      nextAt: second + 86_400_000,
      chosen: [
        { symbol: 'ETHUSDT', rank: 1, value: 9, since: second },
        { symbol: 'BTCUSDT', rank: 2, value: 8, since: first },
        { symbol: 'XRPUSDT', rank: 0, value: 7, since: first },
      ],
      leaving: [],
      out: [{ symbol: 'ADAUSDT', why: 'number 4 of 4 by volume' }],
      requestsPerMinute: 40,
    };
    const status: StatusAnswer = { ...NO_STATUS, bot: 'paper', strategies: [{ ...IDLE, universe }] };
    const text = linesOf(controlText('status', status, OPTIONS))
      .join('\n')
      .replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'in since 2026-11-29 00:00:00 UTC: 2 BTCUSDT, - XRPUSDT in since 2026-11-30 00:00:00 UTC: 1 ETHUSDT out: ADAUSDT',
    );
    const early = { ...universe, at: 0, chosen: [], out: [], reading: '7 of 24 symbols, 41 %' };
    const before = linesOf(controlText('status', { ...status, strategies: [{ ...IDLE, universe: early }] }, OPTIONS)).join('\n');
    expect(before.replaceAll(/\s+/g, ' ')).toContain('by volume, not chosen yet, reading the past: 7 of 24 symbols, 41 %; reading their');
  });

  test('status separates orders that the bot refused from those that the venue rejected', () => {
    const status: StatusAnswer = {
      ...NO_STATUS,
      bot: 'paper',
      phase: 'armed',
      isRunning: true,
      fills: 1,
      errors: 1,
      lastError: { time: 1_700_000_000_000, event: 'presumed-not-landed', text: 'seq=7 symbol=BTCUSDT' },
      requests: 1_045,
      counts: { 'intent-refused standing': 3, 'intent-refused max-position': 1, 'command-rejected balance': 2, 'read-failed timeout': 5 },
      positions: [POSITION],
    };
    const lines = linesOf(controlText('status', status, OPTIONS));
    // What is counted since ever and since the start is not in one line.
    expect(lines).toContain('orders      0 open, 1 fill since the journal began');
    expect(lines).toContain('refused     4 by limits or halts, 2 by the venue, since the start');
    expect(lines).toContain('requests    1,045 since the start');
    expect(lines).toContain('log         1 line of level error since the start');
    expect(lines).toContain('last error  presumed-not-landed at 2023-11-14 22:13:20 UTC: seq=7 symbol=BTCUSDT');
  });

  test('a figure of a day says whose day it is', () => {
    const today = { day: '2026-11-30', profit: '3', fees: '1', funding: '0', net: '2', equity: '', equitySince: 0 };
    const lines = (isStopped: boolean): string[] =>
      linesOf(controlText('status', { ...NO_STATUS, bot: 'paper', today }, { ...OPTIONS, isStopped }));
    expect(lines(false)).toContain('today UTC  net +2 = profit +3, fees 1');
    expect(lines(true).map((line) => line.replaceAll(/ +/g, ' '))).toContain('2026-11-30 UTC net +2 = profit +3, fees 1');
    const group = { key: '2026-11-30', net: '2', profit: '3', fees: '1', funding: '0', fills: 1, closed: 1, wins: 1, volume: '9' };
    expect(linesOf(controlText('pnl', { by: 'day', groups: [group] }, OPTIONS))[0]).toMatch(/^day UTC +net/);
    expect(linesOf(controlText('pnl', { by: 'symbol', groups: [group] }, OPTIONS))[0]).toMatch(/^symbol +net/);
  });

  test('positions name their liquidation price', () => {
    const lines = linesOf(
      controlText('positions', { positions: [POSITION, { ...POSITION, side: 'SHORT', liquidationPrice: '' }] }, OPTIONS),
    );
    expect(lines[0]).toMatch(/ unrealised +liquidation$/);
    expect(lines[1]).toMatch(/ 0\.16 +54321\.00$/);
    expect(lines[2]).toMatch(/ 0\.16 +-$/);
  });

  test('fills name fee and profit', () => {
    const lines = linesOf(controlText('fills', { fills: [FILL, { ...FILL, effect: 'OPEN', fee: '' }] }, OPTIONS));
    expect(lines[1]).toMatch(/60001\.80 +0\.36 +-0\.64 +0\.000$/);
    expect(lines[3]).toMatch(/60001\.80 +- +0\.000$/);
  });

  test('limits name value, limit, share and effect, and what is not known of them', () => {
    const loss = {
      scope: 'bot',
      setting: 'risk.maxDailyLoss',
      rule: 'daily-loss',
      value: '91.5',
      limit: '100',
      unit: 'USDT',
      share: 0.915,
    };
    const spread = {
      scope: 'symbol:BTCUSDT',
      setting: 'risk.maxSpread',
      rule: 'max-spread',
      value: '',
      limit: '0.50',
      unit: '%',
      share: null,
    };
    const limits = [
      { ...spread, effect: 'opens are refused' },
      { ...loss, effect: 'opens halt' },
    ];
    const text = controlText('limits', { limits }, { ...OPTIONS, width: 120 }).replaceAll(/ +/g, ' ');
    expect(text).toContain('risk.maxSpread symbol:BTCUSDT unknown 0.50 % unknown opens are refused');
    expect(text).toContain('risk.maxDailyLoss bot 91.5 100 USDT 91 % opens halt');
    expect(controlText('limits', { limits: [] }, OPTIONS)).toBe('no limit has a value\n');
  });

  test('a loss of less than half a cent is no minus zero', () => {
    const leg = {
      side: 'LONG',
      lots: 10,
      size: 0.01,
      entryPrice: 1000,
      value: 10,
      unrealised: -0.001,
      liquidationPrice: 0,
      opening: 0,
      closing: 0,
    };
    const market = { product: 'futures', index: 0, mid: 1000, last: 1000, long: leg, short: { ...leg, lots: 0 } };
    const kernel = {
      markets: [market as unknown as Market],
      legOf: () => new Leg(0),
      exitsOf: () => ({ exits: [], unprotected: 10, locked: 0, stopUnknown: 0 }),
    };
    expect(positionsOf(kernel, [btc()], [])).toMatchObject([{ unrealised: '0.00', price: '1000.0' }]);
  });

  test.each([
    ['a read position without a liquidation price has none', { margin: 2 }, true],
    ['of one that no read has shown it is not known', { margin: 0 }, undefined],
    ['one that the venue names is shown', { margin: 2, liquidationPrice: 900 }, undefined],
  ])('%s', (_, read, none) => {
    const leg = { side: 'LONG', lots: 10, size: 0.01, entryPrice: 1000, value: 10, unrealised: 0, opening: 0, closing: 0 };
    const long = { ...leg, liquidationPrice: NaN, ...read };
    const market = { product: 'futures', index: 0, mid: 1000, last: 1000, long, short: { ...leg, lots: 0 } };
    const kernel = {
      markets: [market as unknown as Market],
      legOf: () => new Leg(0),
      exitsOf: () => ({ exits: [], unprotected: 10, locked: 0, stopUnknown: 0 }),
    };
    const [position] = positionsOf(kernel, [btc()], []);
    expect([position?.noLiquidation, position?.liquidationPrice]).toEqual([none, 'liquidationPrice' in read ? '900.0' : '']);
    expect(position?.worstLoss).toBe('liquidationPrice' in read ? '1.00' : '10.00');
  });
});
