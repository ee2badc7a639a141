/** What a person reads when the bot has stopped: positions and orders that are still open. */
import { expect, test } from 'vitest';
import { formatStatus } from '../../../src/cli/terminal/status-line.ts';
import { openText } from '../../../src/run/bot/life/bot-status.ts';

const leg = (
  symbol: string,
  long: string,
  short: string,
): { symbol: string; bid: string; ask: string; last: string; long: string; short: string } => ({
  symbol,
  bid: '1',
  ask: '2',
  last: '1',
  long,
  short,
});

test('nothing, legs, and orders', () => {
  expect(openText({ symbols: [leg('BTCUSDT', '0.000', '0.000')] }, 0)).toBe('Stopped. No position and no order is open.\n');
  expect(openText({ symbols: [leg('BTCUSDT', '0.010', '0.020'), leg('ETHUSDT', '0', '0')] }, 0)).toBe(
    'Stopped. Still open: BTCUSDT LONG 0.010, BTCUSDT SHORT 0.020.\n',
  );
  expect(openText({ symbols: [] }, 1)).toBe('Stopped. Still open: 1 order at the venue.\n');
  expect(openText({ symbols: [leg('ETHUSDT', '1', '0')] }, 3)).toBe('Stopped. Still open: ETHUSDT LONG 1, 3 orders at the venue.\n');
});

test('the status line counts the orders that rest and those that were placed', () => {
  const snapshot = { time: 0, phase: 'armed', symbols: [], equity: '1.00', pnl: '', orders: 2, placed: 12_345, fills: 3 };
  const counts = { polls: 0, requests: 0, errors: 0, unknown: 0, halted: [], disabled: [] };
  expect(formatStatus({ ...snapshot, ...counts }, null, 79, (_colour, text) => text)).toContain('2 open, 12k placed, 3 fills');
});
