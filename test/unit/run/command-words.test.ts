/** Commands of a recording in words: sides, prices and sizes as a trader says them, and no number of the wire. */
import { describe, expect, it } from 'vitest';
import * as codes from '../../../src/domain/codes.ts';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { emptyCommand, type Command } from '../../../src/domain/orders/command.ts';
import { POST_ONLY } from '../../../src/domain/orders/time-in-force.ts';
import { commandText, textOf } from '../../../src/run/replay/difference.ts';
import { COMMAND } from '../../../src/run/session/entries.ts';
import { BTCUSDT } from '../../support/specs.ts';

const INSTRUMENTS = [createInstrument(BTCUSDT, 0), createInstrument({ ...BTCUSDT, product: 'spot' }, 1)];
const command = (given: Partial<Command>): Command => ({ ...emptyCommand(), seq: 44, time: 0, ...given });
const words = (given: Partial<Command>): string => commandText(command(given), INSTRUMENTS);

const ORDER = { kind: codes.PLACE, side: codes.SHORT, price: 601_517, size: 10 };

describe('a command in words', () => {
  it.each<[Partial<Command>, string]>([
    [ORDER, 'open BTCUSDT SHORT 0.010, limit 60151.7 (order 44)'],
    [{ ...ORDER, force: POST_ONLY }, 'open BTCUSDT SHORT 0.010, limit 60151.7, post only (order 44)'],
    [
      { ...ORDER, effect: codes.CLOSE, type: codes.MARKET, price: 0, marginMode: codes.ISOLATED },
      'close BTCUSDT SHORT 0.010, at the market, isolated margin (order 44)',
    ],
    [
      { ...ORDER, takeProfit: 590_000, takeProfitLimit: 590_010, stopLoss: 610_000 },
      'open BTCUSDT SHORT 0.010, limit 60151.7, take-profit 59000.0 with limit 59001.0, stop-loss 61000.0 (order 44)',
    ],
    [
      { ...ORDER, kind: codes.PLACE_TRIGGER, type: codes.MARKET, trigger: 600_000, triggerBy: codes.BY_MARK },
      'trigger order: open BTCUSDT SHORT 0.010, at the market, once the mark price is 60000.0 (order 44)',
    ],
    [
      { kind: codes.PLACE_SPOT, instrument: 1, side: codes.SELL, price: 601_517, size: 20 },
      'sell spot:BTCUSDT 0.020, limit 60151.7 (order 44)',
    ],
    [{ kind: codes.MODIFY, target: 12, price: 601_518, size: 30 }, 'change order 12 of BTCUSDT LONG, limit 60151.8, size 0.030 (order 44)'],
    [{ kind: codes.CANCEL, target: 12, targetVenueId: 'x' }, 'cancel order 12 of BTCUSDT (command 44)'],
    [{ kind: codes.CANCEL_TRIGGER, target: 12 }, 'cancel trigger order 12 of BTCUSDT (command 44)'],
    [{ kind: codes.SET_MARGIN_MODE, marginMode: codes.ISOLATED }, 'set the margin mode of BTCUSDT to ISOLATED (command 44)'],
    [{ kind: codes.ADJUST_MARGIN, amount: -5e8 }, 'change the margin of BTCUSDT LONG by -5 (command 44)'],
  ])('%#: %o', (given, text) => {
    expect(words(given)).toBe(text);
  });

  it('has the fields that differ only beside a command of the same words', () => {
    const [first, later] = [command(ORDER), command({ ...ORDER, time: 5 })];
    const text = (body: Command, other: Command): string => textOf({ kind: COMMAND, body }, INSTRUMENTS, { kind: COMMAND, body: other });
    expect(text(later, first)).toBe('open BTCUSDT SHORT 0.010, limit 60151.7 (order 44), made at 5');
    expect(text(first, command({ ...ORDER, price: 1 }))).toBe('open BTCUSDT SHORT 0.010, limit 60151.7 (order 44)');
  });
});
