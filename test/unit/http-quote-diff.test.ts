import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SymbolTable, type DropCounts } from '../../src/venue/records.ts';
import { QuoteDiff, type QuoteRecord } from '../../src/venue/quote-diff.ts';
import { instruments } from '../support/client-bench.ts';

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
        const drops: DropCounts = { foreign: 0, offGrid: 0 };
        const slowDrops: DropCounts = { foreign: 0, offGrid: 0 };
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

  it('parses only changed records', () => {
    const diff = new QuoteDiff(new SymbolTable(instruments), { foreign: 0, offGrid: 0 });
    const btc = { symbol: 'BTCUSDT', bidPrice: '1.0', bidQty: '1', askPrice: '2.0', askQty: '1', ts: 1 } as unknown as QuoteRecord;
    const [first] = diff.map([btc]);
    expect(diff.map([{ ...btc }])[0]).toBe(first);
    expect(diff.map([{ ...btc, ts: 2 }])[0]).toEqual({ ...first, venueTime: 2 });
    expect(diff.parsed).toBe(1);
    diff.map([{ ...btc, bidQty: '3' }]);
    expect(diff.parsed).toBe(2);
  });
});
