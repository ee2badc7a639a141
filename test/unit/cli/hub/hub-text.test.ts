/** The overview of all bots in a terminal: halted bots are called halted, and sums that may leave out a bot are least amounts. */
import { expect, it } from 'vitest';
import { killText, overviewText, rehearsedText } from '../../../../src/cli/hub/hub-text.ts';
import type { StatusAnswer } from '../../../../src/control/answers.ts';
import type { BotState } from '../../../../src/control/hub.ts';
import { NO_STATUS } from '../../../../src/run/bot/answers/views.ts';
import type { Look } from '../../../../src/run/hub/look.ts';
import { overviewOf } from '../../../../src/run/hub/overview.ts';

function look(bot: string, status: Partial<StatusAnswer> | null, state: BotState = 'running'): Look {
  const common = {
    ...NO_STATUS,
    bot,
    phase: 'armed',
    time: 1,
    account: 'live',
    accountId: 'abcdef',
    marginCoin: 'USDT',
    equity: '100.00',
  } as const;
  return { folder: `/${bot}`, state, says: '', dashboard: '', status: status === null ? null : { ...common, ...status } };
}

const halt = (scope: string): StatusAnswer['halts'][number] => {
  return { scope, code: 'operator', detail: 'no reason given', since: 0, by: 'me', ends: 'tickwright resume' };
};

const shown = (...looks: readonly Look[]): string => overviewText(overviewOf(looks, 1), { paint: (_, text) => text, width: 200 });

it('calls a bot halted that runs and is halted, with the command that ends it there', () => {
  const text = shown(look('whole', { halts: [halt('bot')] }), look('part', { halts: [halt('symbol:BTCUSDT')] }), look('well', {}));
  expect(text).toMatch(/^whole +HALTED +live abcd… /m);
  expect(text).toMatch(/^part +runs, 1 halt +live/m);
  expect(text).toMatch(/^well +runs +live/m);
  expect(text).toContain('to end it: tickwright resume --state /whole\n');
  expect(shown(look('my bot', { halts: [halt('bot')] }))).toContain("to end it: tickwright resume --state '/my bot'\n");
});

it('says that a sum is a least amount while bots of an unknown account may belong to it', () => {
  expect(shown(look('one', {}))).toContain(
    'live: 1 account, equity 100.00 USDT; they can lose 0.00 USDT, before slippage, fees and resting orders; 0 halts\n',
  );
  const text = shown(look('one', {}), look('newer', null, 'not-understood'));
  expect(text).toContain(
    'live: 1 account, equity at least 100.00 USDT; they can lose at least 0.00 USDT, before slippage, fees and resting orders; at least 0 halts; 1 bot of unknown account not counted\n',
  );
  expect(text).toContain('newer: ANSWER NOT UNDERSTOOD (another version?)');
});

it('says why they may lose more than what has a bound', () => {
  expect(shown(look('one', { unknownOutcomes: 1 }))).toContain('what they can lose is unknown (one: the outcome of 1 order is unknown)');
});

it('fits 80 columns with bots that stopped hours ago, long names and long sentences', () => {
  const old = { equity: '100000.00', time: 1, accountId: '4781abcd', marginCoin: 'USDT' };
  const looks = [look('rotation', { ...old, account: 'paper', halts: [halt('symbol:BTCUSDT')] }), look('term', old, 'killed')];
  const wide = { paint: (_: string, text: string) => text, width: 80 };
  const did = ['closes BTCUSDT LONG 0.100 by a market order at about 59982.50 (book ticker, 0.1 s old): fee 3.59895, slippage 0.005'];
  const row = { bot: 'term', folder: '/term', outcome: 'done', tookMs: 1, did, open: ['x'.repeat(30)] } as const;
  const text = overviewText(overviewOf(looks, 3 * 3_600_000 + 1_234_567), wide) + killText([row], wide) + rehearsedText([row], wide);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(/3h 20m +/);
});
