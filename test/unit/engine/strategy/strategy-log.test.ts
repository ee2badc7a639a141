import { expect, test } from 'vitest';
import { pushedRig } from '../../../support/engine/engine-kit.ts';

test('numbers in its log lines have no noise of sums, and nothing else is changed', () => {
  const profit = (60_000.1 - 59_990.3) * 0.017;
  const fields = {
    sum: 0.1 + 0.2,
    profit,
    list: [0.1 * 3, { of: 1.1 * 3 }],
    time: 1_700_000_000_123,
    none: Number.NaN,
    big: 12_345.678_9,
    text: 'a',
  };
  const r = pushedRig({ onStart: (ctx) => ctx.log('sums', fields) });
  const line = r.log.lines.find(({ event }) => event === 'strategy-log');
  const plain = {
    sum: 0.3,
    profit: 0.1666,
    list: [0.3, { of: 3.3 }],
    time: 1_700_000_000_123,
    none: Number.NaN,
    big: 12_345.678_9,
    text: 'a',
  };
  expect(line!.fields).toEqual({ strategy: 'probe', says: 'sums', ...plain });
});
