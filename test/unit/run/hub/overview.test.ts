/** Sums over the bots of a user: an account counts once, kinds of money stay apart, and what is unknown is not zero. */
import { describe, expect, it } from 'vitest';
import type { PositionAnswer, ReadTimes, StatusAnswer } from '../../../../src/control/answers.ts';
import type { BotState } from '../../../../src/control/hub.ts';
import { NO_STATUS } from '../../../../src/run/bot/answers/views.ts';
import type { Look } from '../../../../src/run/hub/look.ts';
import { overviewOf } from '../../../../src/run/hub/overview.ts';

const NOW = 1_000_000;

function look(bot: string, status: Partial<StatusAnswer> | null, state: BotState = 'running'): Look {
  const read = { equity: NOW, orders: NOW, positions: NOW, prices: NOW };
  const common = {
    ...NO_STATUS,
    bot,
    time: NOW,
    account: 'live',
    accountId: 'a',
    marginCoin: 'USDT',
    equity: '100.00',
    readAt: read,
  } as const;
  return { folder: `/${bot}`, state, says: '', dashboard: '', status: status === null ? null : { ...common, ...status } };
}

function leg(symbol: string, worstLoss: string, more: Partial<PositionAnswer> = {}): PositionAnswer {
  const unknown = { entryPrice: '', price: '', value: '', liquidationPrice: '', opening: '', closing: '' };
  return { symbol, side: 'LONG', size: '1', unrealised: '2.00', worstLoss, ...unknown, ...more };
}

const readAt = (positions: number, equity = positions): ReadTimes => ({ equity, orders: NOW, positions, prices: NOW });

describe('an account', () => {
  it('with two bots counts once, with the newest reading of the equity', () => {
    const older = look('one', { equity: '90.00', readAt: readAt(NOW - 5) });
    const { accounts, totals } = overviewOf([older, look('two', { equity: '100.00' })], NOW);
    expect(accounts).toMatchObject([{ bots: ['one', 'two'], equity: '100.00', equityAt: NOW }]);
    expect(totals).toMatchObject([{ accounts: 1, equity: '100.00', halts: 0 }]);
  });

  it('has each leg once; the least that a bot says can be lost is the bound', () => {
    const one = look('one', { positions: [leg('BTCUSDT', '30.00'), leg('ETHUSDT', '5.00')] });
    const two = look('two', { positions: [leg('BTCUSDT', '80.00')] });
    expect(overviewOf([one, two], NOW).accounts).toMatchObject([{ positions: 2, worstLoss: '35.00', unrealised: '4.00' }]);
    expect(overviewOf([two, one], NOW).accounts).toMatchObject([{ positions: 2, worstLoss: '35.00' }]);
  });

  it('has the leg as it was read last, and no bound of another size', () => {
    const old = look('one', { positions: [leg('BTCUSDT', '1.00', { size: '9' })], readAt: readAt(NOW - 9) });
    const [account] = overviewOf([old, look('two', { positions: [leg('BTCUSDT', '80.00')] })], NOW).accounts;
    expect(account).toMatchObject({ positions: 1, worstLoss: '80.00' });
  });

  it('loses at most its equity, at least what has a bound, and an unknown amount if the positions are not read', () => {
    const lossOf = (...given: Partial<StatusAnswer>[]): string => {
      const looks = given.map((one, k) => look(`b${k}`, one));
      const { worstLoss, worstLossBound } = overviewOf(looks, NOW).accounts[0]!;
      return `${{ least: '≥ ', most: '≤ ', '': '' }[worstLossBound]}${worstLoss}`;
    };
    expect(lossOf({ positions: [leg('BTCUSDT', '500.00')] })).toBe('≤ 100.00');
    // A least amount of nothing would look like no risk.
    expect(lossOf({ positions: [leg('BTCUSDT', '')] })).toBe('');
    expect(lossOf({ unknownOutcomes: 1 })).toBe('');
    expect(lossOf({ positions: [leg('BTCUSDT', ''), leg('ETHUSDT', '7.00')] })).toBe('≥ 7.00');
    // All of the equity is all that can be lost.
    expect(lossOf({ positions: [leg('BTCUSDT', ''), leg('ETHUSDT', '500.00')] })).toBe('≤ 100.00');
    expect(lossOf({ positions: [leg('BTCUSDT', '')] }, { positions: [leg('BTCUSDT', '7.00')] })).toBe('7.00');
    expect(lossOf({ unknownOutcomes: 1, positions: [leg('ETHUSDT', '7.00')] })).toBe('≥ 7.00');
    expect(lossOf({ readAt: readAt(0) })).toBe('');
    expect(lossOf({})).toBe('0.00');
    // Nobody here knows whether the venue holds a stop-loss: with one less is lost.
    const bare = leg('ETHUSDT', '7.00', { stopUnknown: '1' });
    expect(lossOf({ positions: [bare] })).toBe('≤ 7.00');
    expect(lossOf({ positions: [bare, leg('BTCUSDT', '')] })).toBe('≥ 7.00');
  });

  it('says why what it can lose is unknown', () => {
    const why = (one: Partial<StatusAnswer>): string | undefined => overviewOf([look('b', one)], NOW).totals[0]?.worstLossUnknown;
    expect(why({ positions: [leg('BTCUSDT', ''), leg('ETHUSDT', '1.00')] })).toBe(
      'b: no stop or liquidation price of BTCUSDT LONG is known',
    );
    expect(why({ unknownOutcomes: 2 })).toBe('b: the outcome of 2 orders is unknown');
    expect(why({ readAt: readAt(0) })).toBe('b: the positions are not read yet');
    expect(why({})).toBe('');
  });

  it('shows what a bot that answers says before that of one that does not', () => {
    const silent = look('one', { equity: '500.00', halts: [] }, 'silent');
    const fresh = look('two', { equity: '100.00', readAt: readAt(NOW - 50) });
    expect(overviewOf([silent, fresh], NOW).accounts).toMatchObject([{ equity: '100.00', isCurrent: true, bots: ['one', 'two'] }]);
    expect(overviewOf([silent], NOW).accounts).toMatchObject([{ equity: '500.00', isCurrent: false }]);
  });
});

describe('totals', () => {
  it('never add up money of two kinds or coins', () => {
    const looks = [
      look('live', {}),
      look('paper', { account: 'paper', accountId: 'b' }),
      look('coin', { marginCoin: 'USDC' }),
      look('more', { accountId: 'c', equity: '0.01' }),
    ];
    expect(
      overviewOf(looks, NOW).totals.map(({ account, marginCoin, accounts, equity }) => [account, marginCoin, accounts, equity]),
    ).toEqual([
      ['live', 'USDC', 1, '100.00'],
      ['live', 'USDT', 2, '100.01'],
      ['paper', 'USDT', 1, '100.00'],
    ]);
  });

  it('say of how many accounts the equity is known', () => {
    const { totals } = overviewOf([look('one', {}), look('two', { accountId: 'b', equity: '' })], NOW);
    expect(totals).toMatchObject([{ accounts: 2, known: 1, equity: '100.00' }]);
    expect(overviewOf([look('two', { equity: '' })], NOW).totals).toMatchObject([{ known: 0, equity: '', equityAt: 0 }]);
  });

  it('can lose at least what the accounts with a bound lose, and an unknown amount if there is none', () => {
    const bare = { positions: [leg('BTCUSDT', '')] };
    const lossOf = (...given: Partial<StatusAnswer>[]): object => {
      const looks = given.map((one, k) => look(`b${k}`, { accountId: `a${k}`, ...one }));
      const { worstLoss, worstLossBound } = overviewOf(looks, NOW).totals[0]!;
      return [worstLoss, worstLossBound];
    };
    const bound = { positions: [leg('BTCUSDT', '7.00')] };
    expect(lossOf(bound, bare)).toEqual(['7.00', 'least']);
    expect(lossOf(bound, { readAt: readAt(0) })).toEqual(['7.00', 'least']);
    expect(lossOf(bare, { readAt: readAt(0) })).toEqual(['', '']);
    expect(lossOf(bound, bound)).toEqual(['14.00', '']);
  });

  it('leave out bots whose account is not known, by name', () => {
    const { accountId: _id, marginCoin: _coin, ...older } = look('older', {}).status!;
    const looks = [look('one', {}), { ...look('older', {}), status: older }, look('gone', null, 'silent')];
    const { uncounted, totals, bots } = overviewOf(looks, NOW);
    expect([uncounted, totals.length, bots.map(({ state }) => state)]).toEqual([['gone', 'older'], 1, ['running', 'running', 'silent']]);
  });

  it('say how many bots of an unknown account may belong to them', () => {
    const { account: _kind, accountId: _id, marginCoin: _coin, ...older } = look('old', {}).status!;
    const without = (more: Partial<StatusAnswer>): Look => ({ ...look('old', {}), status: { ...older, ...more } });
    const looks = [
      look('paper', { account: 'paper', accountId: 'b' }),
      look('live', {}),
      without({ account: 'paper' }),
      without({ account: 'live', marginCoin: 'USDC' }),
      without({}),
      look('gone', null, 'silent'),
      look('newer', null, 'not-understood'),
    ];
    expect(overviewOf(looks, NOW).totals.map(({ account, uncounted }) => [account, uncounted])).toEqual([
      ['live', 3],
      ['paper', 4],
    ]);
  });
});

describe('bots', () => {
  it('with real money come first', () => {
    const { bots } = overviewOf([look('a', { account: 'paper' }), look('b', null, 'silent'), look('c', {})], NOW);
    expect(bots.map(({ bot }) => bot)).toEqual(['c', 'b', 'a']);
  });

  it('are in the order of their names, with numbers as numbers', () => {
    const { bots, accounts } = overviewOf(
      ['bot-10', 'bot-2', 'bot-1'].map((name) => look(name, { accountId: name })),
      NOW,
    );
    expect([bots.map(({ bot }) => bot), accounts.flatMap((one) => one.bots)]).toEqual([
      ['bot-1', 'bot-2', 'bot-10'],
      ['bot-1', 'bot-2', 'bot-10'],
    ]);
  });

  it('name the command that ends a halt at the bot that has it', () => {
    const halt = { scope: 'bot', code: 'operator', detail: '', since: 0, by: '' };
    const ends = ['tickwright resume', 'by itself', 'tickwright settle 5 landed VENUE-ID (or: not-landed)'];
    const [bot] = overviewOf([look('one', { halts: ends.map((end) => ({ ...halt, ends: end })) })], NOW).bots;
    expect(bot!.halts.map((one) => one.ends)).toEqual([
      'tickwright resume --state /one',
      'by itself',
      'tickwright settle 5 landed VENUE-ID --state /one (or: not-landed)',
    ]);
  });
});
