/** The words in which `verify` names a decision: symbols, sides and sizes, never the numbers of the codes. */
import { expect, test } from 'vitest';
import * as codes from '../../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../../src/domain/orders/command.ts';
import type { CommandJournal } from '../../../../src/engine/state/events/journal.ts';
import { Decisions, sameFrom } from '../../../../src/run/verify/decision-lines.ts';
import { btc } from '../../../support/engine/engine-kit.ts';

function said(given: Partial<Command>): string {
  const decisions = new Decisions([btc(0, 'OTHER'), btc(1)]);
  const command = Object.assign(emptyCommand(), { instrument: 1, time: 5, ...given }) as Approved<Command>;
  decisions.journal({ command: () => undefined } as unknown as CommandJournal).command(command, 'mine', 'because');
  return decisions.all[0]!.text;
}

test('an order is named with its market, side, effect, type and size', () => {
  expect(said({ kind: codes.PLACE, effect: codes.CLOSE, type: codes.MARKET, size: 10 })).toBe(
    'BTCUSDT place LONG CLOSE MARKET 0.010 (mine: because)',
  );
  expect(said({ kind: codes.PLACE, side: codes.SHORT, price: 600_005, size: 10, force: 1, stopLoss: 610_000 })).toBe(
    'BTCUSDT place SHORT OPEN LIMIT at 60000.5 0.010 POST_ONLY stopLoss 61000.0 (mine: because)',
  );
});

test('other commands are named with what they set', () => {
  expect(said({ kind: codes.MODIFY, target: 3, price: 600_005 })).toBe('BTCUSDT modify at 60000.5 (mine: because)');
  expect(said({ kind: codes.CANCEL, target: 3 })).toBe('BTCUSDT cancel (mine: because)');
});

test('two runs go the same way again from the first of at least three moments at their ends', () => {
  const run = (text: string): { time: number; text: string }[] => [...text].map((letter, k) => ({ time: k, text: letter }));
  expect(sameFrom(run('abcdef'), run('abXdef'))).toBe(3);
  expect(sameFrom(run('abcdef'), run('abcXef'))).toBeNull();
  expect(sameFrom(run('abcdef'), [])).toBeNull();
  const atOnce = ['x', 'y', 'z'].map((text) => ({ time: 9, text }));
  expect(sameFrom([...run('ab'), ...atOnce], [...run('aX'), ...atOnce])).toBeNull();
});
