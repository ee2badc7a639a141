import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SymbolTable, type DropCounts } from '../../../src/venue/records.ts';
import { QuoteDiff, type QuoteRecord } from '../../../src/venue/quote-diff.ts';
import { instruments } from '../../support/exchange/client-bench.ts';

describe('the quote parser', () => {
  it('gives the same as parsing every record, for any sequence of polls', () => {
    const price = fc.constantFrom('1.0', '1.1', '1.2', '2', '2.05', '0', '-1', '3.0');
    const size = fc.constantFrom('1', '0.001', '0', '0.0001');
    const record = fc.record({
      symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'NONE'),
      bidPrice: price,
      bidQty: size,
      askPrice: price,
      askQty: size,
      ts: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(fc.array(record, { maxLength: 4 }), { maxLength: 8 }), (polls) => {
        const symbols = new SymbolTable(instruments);
        const drops: DropCounts = { foreign: 0, offGrid: 0, crossed: 0 };
        const slowDrops: DropCounts = { foreign: 0, offGrid: 0, crossed: 0 };
        const diff = new QuoteDiff(symbols, drops);
        for (const poll of polls as unknown as QuoteRecord[][]) {
          const slow = poll.flatMap((one) => new QuoteDiff(symbols, slowDrops).map([one]));
          expect(diff.map(poll)).toEqual(slow);
        }
        expect(drops).toEqual(slowDrops);
      }),
      { numRuns: 2_000 },
    );
  });

  it('counts a crossed and a locked book as such in every poll, and names their symbols until a quote comes', () => {
    const drops: DropCounts = { foreign: 0, offGrid: 0, crossed: 0 };
    const diff = new QuoteDiff(new SymbolTable(instruments), drops);
    const quote = (symbol: string, bidPrice: string, askPrice: string, bidQty = '1'): QuoteRecord => ({
      symbol,
      bidPrice,
      bidQty,
      askPrice,
      askQty: '1',
      ts: 1,
    });
    for (const [polled, quotes, counts, crossed] of [
      [[quote('BTCUSDT', '1.0', '2.0')], 1, { crossed: 0, offGrid: 0 }, []],
      [[quote('BTCUSDT', '2.0', '1.9')], 0, { crossed: 1, offGrid: 0 }, ['BTCUSDT']],
      [[quote('BTCUSDT', '2.0', '1.9'), quote('ETHUSDT', '2.0', '2.0')], 0, { crossed: 3, offGrid: 0 }, ['BTCUSDT', 'ETHUSDT']],
      [[quote('BTCUSDT', '2.0', '1.9', '0'), quote('NONE', '2.0', '1.9')], 0, { crossed: 3, offGrid: 1 }, ['ETHUSDT']],
      [[quote('ETHUSDT', '1.9', '2.0')], 1, { crossed: 3, offGrid: 1 }, []],
    ] as const) {
      expect(diff.map(polled)).toHaveLength(quotes);
      expect(drops).toMatchObject(counts);
      expect(diff.crossed).toEqual(crossed);
    }
  });

  it('parses only changed records', () => {
    const diff = new QuoteDiff(new SymbolTable(instruments), { foreign: 0, offGrid: 0, crossed: 0 });
    const btc = { symbol: 'BTCUSDT', bidPrice: '1.0', bidQty: '1', askPrice: '2.0', askQty: '1', ts: 1 } as unknown as QuoteRecord;
    const [first] = diff.map([btc]);
    expect(diff.map([{ ...btc }])[0]).toBe(first);
    expect(diff.map([{ ...btc, ts: 2 }])[0]).toEqual({ ...first, venueTime: 2 });
    expect(diff.parsed).toBe(1);
    diff.map([{ ...btc, bidQty: '3' }]);
    expect(diff.parsed).toBe(2);
  });
});
