import { describe, expect, test } from 'vitest';
import { planPolls, PollPlanError, type PollNeed } from '../../../../src/engine/polling/schedule.ts';
import { POLLS } from '../../../support/engine/engine-kit.ts';

const { budget } = POLLS;
const need = (kind: PollNeed['kind'], instrument: number, periodMs: number): PollNeed => ({ kind, instrument, periodMs, by: 'test' });

describe('the poll plan', () => {
  test('one call serves many symbols if possible, at the shortest required period', () => {
    const { polls } = planPolls(
      [need('quotes', 0, 500), need('quotes', 1, 200), need('trades', 0, 1000), need('trades', 1, 1000)],
      budget,
      ['A', 'B'],
    );
    expect(polls.map((p) => [p.kind, p.instrument, p.periodMs])).toEqual([
      ['quotes', -1, 200],
      ['trades', 0, 1000],
      ['trades', 1, 1000],
    ]);
  });

  test('a single symbol is read alone; equal requirements become one poll', () => {
    const { polls } = planPolls([need('quotes', 3, 500), need('quotes', 3, 900)], budget, ['A', 'B', 'C', 'D']);
    expect(polls).toMatchObject([{ kind: 'quotes', instrument: 3, periodMs: 500 }]);
  });

  test('phases are spread, and equal in every run', () => {
    const needs = [need('trades', 0, 1000), need('trades', 1, 1000), need('trades', 2, 1000)];
    const phases = planPolls(needs, budget, []).polls.map((p) => p.phaseMs);
    expect(new Set(phases).size).toBe(3);
    expect(planPolls(needs, budget, []).polls.map((p) => p.phaseMs)).toEqual(phases);
  });

  test('a plan that fills its bucket fits; one more call is refused with the arithmetic', () => {
    const needs = Array.from({ length: 20 }, (_, i) => need('trades', i, 1000));
    expect(planPolls(needs, budget, []).text).toContain('public: 20.00 of 20.00 a second');
    expect(() => planPolls([...needs, need('quotes', 0, 10_000)], budget, ['BTCUSDT'])).toThrow(PollPlanError);
    expect(() => planPolls([...needs, need('quotes', 0, 10_000)], budget, ['BTCUSDT'])).toThrow(
      'public: trades of 20 symbols 20.00 + quotes(BTCUSDT) 0.10 = 20.10 a second, but 20 a second − 0 % kept for orders = 20.00;',
    );
  });

  test('a refusal has one term for equal polls, one for each period, and names a symbol that is alone', () => {
    const fast = Array.from({ length: 18 }, (_, i) => need('trades', i, 1000));
    const slow = Array.from({ length: 4 }, (_, i) => need('trades', 18 + i, 60_000));
    const polls = [...fast, ...slow, need('trades', 22, 400), need('quotes', -1, 250)];
    const symbols = Array.from({ length: 23 }, (_, i) => `MADE${i}USDT`);
    expect(() => planPolls(polls, budget, symbols)).toThrow(
      'public: trades of 18 symbols 18.00 + trades of 4 symbols 0.07 + trades(MADE22USDT) 2.50 + quotes(all) 4.00 = 24.57 a second, but 20 a second',
    );
  });

  test('the plan has one line for equal polls, which names at most three symbols', () => {
    const equal = Array.from({ length: 4 }, (_, i) => need('trades', i, 1000));
    const slow = [need('trades', 4, 60_000), need('trades', 5, 60_000)];
    const symbols = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const { text, polls } = planPolls([...equal, ...slow, need('trades', 6, 5_000), need('quotes', -1, 250)], budget, symbols);
    expect(polls).toHaveLength(8);
    expect(text.split('\n')).toEqual([
      'trades of 4 symbols every 1000 ms each: 4.00 a second of public',
      'trades(E, F) every 60000 ms each: 0.03 a second of public',
      'trades(G) every 5000 ms: 0.20 a second of public',
      'quotes(all) every 250 ms: 4.00 a second of public',
      'public: 8.23 of 20.00 a second',
    ]);
  });

  test('the share reserved for orders counts', () => {
    expect(() => planPolls([need('pending', -1, 120)], budget, [])).toThrow(
      /8\.33 a second, but 10 a second − 20 % kept for orders = 8\.00/,
    );
  });

  test.each([
    [0.2, 100, '20 % kept for orders = 8.00'],
    [0.5, 150, '50 % kept for orders = 5.00'],
    [0.95, 1_000, '95 % kept for orders = 0.50'],
  ])('the share of %d reserved for orders is told in percent', (orderShare, periodMs, told) => {
    const buckets = { ...budget.buckets, private: { perSecond: 10, orderShare } };
    expect(() => planPolls([need('pending', -1, periodMs)], { ...budget, buckets }, [])).toThrow(`but 10 a second − ${told}`);
  });

  test('an invalid period and a kind without a call for all symbols are refused', () => {
    expect(() => planPolls([need('quotes', 0, 0)], budget, [])).toThrow(/period of at least 1 ms/);
    expect(() => planPolls([need('trades', -1, 100)], budget, [])).toThrow(/trades cannot be asked for all symbols/);
  });
});
