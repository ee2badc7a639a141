/** The indicators that TA-Lib lacks, against their written out twins; and the table: nothing is without a proof. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleBars, sampleInput } from '../../../src/indicators/core/synthetic-bars.ts';
import { INDICATORS } from '../../../src/indicators/table.ts';
import { MORE, Series, TWINS } from '../../support/research/indicator-twins.ts';

const ROWS = 260;
const RELATIVE = 1e-9;
const ABSOLUTE = 1e-12;
const bars = sampleBars(ROWS, 11);
const prefixes = bars.map((_, i) => new Series(bars.slice(0, i + 1)));
const own = INDICATORS.filter(({ row }) => row.talib === undefined);
const cases = own.flatMap((make) => [[], ...(MORE[make.row.name] ?? [])].map((params) => [make.row.name, params, make] as const));

describe('indicators and their twins', () => {
  it.each(cases)('%s(%s) agrees', (name, params, make) => {
    const indicator = make(...params);
    const twin = TWINS[name]!;
    let ready = 0;
    for (const [i, bar] of bars.entries()) {
      const [input, second] = sampleInput(make.row.input, bar);
      indicator.update(input, second);
      if (!indicator.isReady) continue;
      ready++;
      const expected = twin(prefixes[i]!, ...params);
      for (const [k, output] of make.row.outputs.entries()) {
        const found = indicator.at(0, output);
        const isSame =
          Object.is(found, expected[k]) || Math.abs(found - expected[k]!) <= Math.max(ABSOLUTE, RELATIVE * Math.abs(expected[k]!));
        if (!isSame) expect(found, `${output} at ${i}`).toBe(expected[k]);
      }
    }
    // Pivots of days have nothing to say of 260 minutes: their first session is not over.
    expect(ready).toBeGreaterThan(name === 'pivots' && params.length === 0 ? -1 : 50);
  });
});

describe('each indicator', () => {
  it('has a vector of TA-Lib or a twin', () => {
    const names = ['ta-lib.json', 'ta-lib-patterns.json'].flatMap((file) => {
      const golden = JSON.parse(readFileSync(new URL(`../../golden/${file}`, import.meta.url), 'utf8')) as { vectors: { name: string }[] };
      return golden.vectors.map((vector) => vector.name);
    });
    const proven = new Set(names);
    const bare = INDICATORS.filter(({ row }) => (row.talib === undefined ? TWINS[row.name] === undefined : !proven.has(row.talib)));
    expect(bare.map(({ row }) => row.name)).toEqual([]);
  });
});
