/** Several strategies on one wallet: whose profit is whose, written out, and the statistics of their parts. */
import { describe, expect, test } from 'vitest';
import { CLOSE, LONG, OPEN, SHORT } from '../../../src/domain/codes.ts';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { ONE } from '../../../src/domain/amounts/units.ts';
import { Attribution } from '../../../src/domain/attribution.ts';
import { portfolioOf } from '../../../src/report/equity/portfolio.ts';
import { sectionMarkup } from '../../../src/report/document/document-page.ts';
import { documentText } from '../../../src/report/document/document-text.ts';
import { portfolioSection } from '../../../src/report/document/run/portfolio-section.ts';
import { correlationMatrix, riskShares } from '../../../src/statistics/portfolio.ts';
import { BTC } from '../../support/sim/sim-kit.ts';

const INSTRUMENT = createInstrument({ ...BTC, tickSize: '0.1', lotSize: '0.001' }, 0);
/** Value of a tick of a lot. */
const UNIT = INSTRUMENT.unitValue;

let mark = 0;
const two = (): Attribution => new Attribution({ instruments: [INSTRUMENT], strategies: ['a', 'b'], coin: 'USDT', markOf: () => mark });
const nets = (of: Attribution): number[] => of.parts.map((_, k) => of.net(k) / UNIT);

describe('whose profit it is', () => {
  test('each strategy has its own average cost on a leg that the venue nets', () => {
    const of = two();
    of.filled(0, LONG, OPEN, 1_000, 10, 0, 'a');
    of.filled(0, LONG, OPEN, 1_100, 10, 0, 'b');
    // The venue has 20 lots at 1,050 and would realise 10 · 100; b bought its lots at 1,100.
    of.filled(0, LONG, CLOSE, 1_150, 10, 0, 'b');
    mark = 1_200;
    expect(of.parts.map(({ realised }) => realised / UNIT)).toEqual([0, 500, 0]);
    expect(nets(of)).toEqual([2_000, 500, 0]);
  });

  test('who closes lots of another is short against it from that price, until the leg is flat', () => {
    const of = two();
    of.filled(0, SHORT, OPEN, 1_000, 20, 0, 'a');
    of.filled(0, SHORT, CLOSE, 900, 10, 0, 'b');
    mark = 700;
    // The wallet made 10 · 100 and has 10 lots at 1,000: a still has its 20 · 300, and b missed 10 · 200 of it.
    expect(nets(of)).toEqual([6_000, -2_000, 0]);
    of.filled(0, SHORT, CLOSE, 700, 10, 0, 'a');
    mark = 5;
    // The leg is flat: nothing depends on the price any more.
    expect(nets(of)).toEqual([6_000, -2_000, 0]);
    expect(of.saved().flatMap(({ holdings }) => holdings)).toEqual([]);
  });

  test('a liquidation closes the lots of all in proportion, its fee too', () => {
    const of = two();
    of.filled(0, LONG, OPEN, 1_000, 7, 0, 'a');
    of.filled(0, LONG, OPEN, 1_000, 3, 0, 'b');
    of.filled(0, LONG, CLOSE, 900, 5, 11 * UNIT, '');
    mark = 900;
    // 5 · 7 / 10 = 3 lots of a, then 2 of b; the fee of 11 follows: 6.6 and 4.4 units, cut to whole money.
    expect(of.parts.map(({ realised }) => realised / UNIT)).toEqual([-300, -200, 0]);
    expect(of.parts.map(({ fees }) => fees / UNIT)).toEqual([6.6, 4.4, 0]);
    expect(of.parts.map(({ fills }) => fills)).toEqual([1 + 1, 1 + 1, 0]);
  });

  test('what nobody holds is external', () => {
    const of = two();
    of.filled(0, LONG, OPEN, 1_000, 4, 0, '');
    of.filled(0, LONG, OPEN, 1_000, 1, 0, 'a');
    of.filled(0, LONG, CLOSE, 1_010, 5, 0, 'somebody');
    mark = 0;
    expect(nets(of)).toEqual([10, 0, 40]);
    // One lot more than anybody holds is short from its price.
    of.filled(0, LONG, CLOSE, 1_010, 1, 0, '');
    mark = 1_000;
    expect(nets(of)).toEqual([10, 0, 50]);
  });

  test.each([100, -100])('funding of %i is split by lots, and nothing of it is lost', (amount) => {
    const of = two();
    of.filled(0, LONG, OPEN, 1_000, 1, 0, 'a');
    of.filled(0, LONG, OPEN, 1_000, 2, 0, 'b');
    of.funded(0, LONG, amount);
    expect(of.parts.map(({ funding }) => funding)).toEqual([Math.trunc(amount / 3), amount - Math.trunc(amount / 3), 0]);
  });
});

describe('the statistics of the parts', () => {
  test('shares of risk by hand', () => {
    // Sums of squares 16 and 4, of products −4: the whole has 16 + 4 − 8 = 12, of which 16 − 4 are the first one's and 4 − 4 the other's.
    const a = [2, -2, 0, 0, 2, -2];
    const b = [-1, 1, 1, -1, 0, 0];
    const whole = a.map((one, k) => one + b[k]!);
    const [of, rest] = riskShares([a, b], whole);
    expect(of).toBeCloseTo((16 - 4) / (16 + 4 - 8), 12);
    expect(of! + rest!).toBeCloseTo(1, 12);
    expect(correlationMatrix([a, b])[0]![1]).toBeCloseTo(-4 / Math.sqrt(16 * 4), 12);
    expect(correlationMatrix([a, [1, 1, 1, 1, 1, 1]])).toEqual([
      [1, Number.NaN],
      [Number.NaN, 1],
    ]);
  });

  const filled = (): Parameters<typeof portfolioOf>[0] => {
    const of = two();
    mark = 1_000;
    of.sample(0);
    of.filled(0, LONG, OPEN, 1_000, 10, 5, 'a');
    of.filled(0, LONG, OPEN, 1_100, 10, 5, 'b');
    of.filled(0, LONG, CLOSE, 1_150, 10, 5, 'b');
    of.sample(1_000);
    mark = 1_200;
    of.sample(2_000);
    const wallet = { fills: 3, realised: 1_000 * UNIT, unrealised: 1_500 * UNIT, fees: 15, funding: 0, more: 7 };
    return { attribution: of, equity: [ONE, ONE, ONE], perYear: 31_536_000, ...wallet };
  };

  test('netting is what the average price of the venue moves, and insurance is in the net alone', () => {
    const { strategies, rest, total } = portfolioOf(filled());
    expect(strategies.map(({ name, net }) => [name, net])).toEqual([
      ['a', '0.19999995'],
      ['b', '0.04999990'],
    ]);
    expect(rest.map(({ name, realised, unrealised, net }) => [name, realised, unrealised, net])).toEqual([
      ['netting', '0.05000000', '-0.05000000', '0.00000000'],
      ['insurance', '0.00000000', '0.00000000', '0.00000007'],
    ]);
    expect(total.net).toBe('0.24999992');
  });

  test('the text has a row for each, and funding only where there is some', () => {
    const textOf = (portfolio: ReturnType<typeof portfolioOf>): string =>
      documentText({ title: '', words: '', sections: portfolioSection(portfolio) }, 80);
    const text = textOf(portfolioOf(filled()));
    expect(text.match(/^ {2}(a|b|netting|insurance|wallet) /gm)).toHaveLength(5);
    expect(text).not.toContain('funding');
    expect(textOf(portfolioOf({ ...filled(), funding: 1 }))).toContain('funding');
    expect(portfolioSection(null)).toEqual([]);
  });

  test('the page escapes names', () => {
    const portfolio = portfolioOf(filled());
    const evil = { ...portfolio, strategies: portfolio.strategies.map((one) => ({ ...one, name: '<img src=x>' })) };
    const page = portfolioSection(evil).map((one) => sectionMarkup(one).text);
    expect(page.join('')).toContain('&lt;img');
    expect(page.join('')).not.toContain('<img');
  });
});
