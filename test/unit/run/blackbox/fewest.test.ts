/** The fewest parts of a list, and faults as a person types them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultIn, faultOf, faultText, isShown } from '../../../../src/run/blackbox/fault.ts';
import { fewest } from '../../../../src/run/blackbox/fewest.ts';

describe('the fewest parts', () => {
  it('are those that are needed, in their order, whatever stands between them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 6 }), async (needed) => {
        const all = Array.from({ length: 301 }, (_, k) => k);
        const found = await fewest(all, (some) => needed.every((one) => some.includes(one)));
        expect(found).toEqual(needed.toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });

  it('leave none that can be left out, also where parts need each other', async () => {
    const all = Array.from({ length: 64 }, (_, k) => k);
    // An odd part is needed only while the even one before it is there.
    const holds = (some: readonly number[]): boolean => some.includes(63) && some.every((one) => one % 2 === 1 || some.includes(one + 1));
    expect(await fewest(all, holds)).toEqual([63]);
  });

  it('cost at most so many tries', async () => {
    let tries = 0;
    const all = Array.from({ length: 1_000 }, (_, k) => k);
    await fewest(all, () => (tries++, false), 70);
    expect(tries).toBe(70);
  });
});

describe('a fault', () => {
  it.each(['opens-halted code=daily-loss', 'error message="the lots of a leg are at least"', 'command side=1 effect=0', 'strategy-error'])(
    'is typed as it is shown: %s',
    (text) => expect(faultText(faultOf(text))).toBe(text),
  );

  it.each(['', 'Opens halted', 'opens-halted code', '=x'])('is not "%s"', (text) => expect(() => faultOf(text)).toThrow(/expected/));

  it('shows in a line with the same event and fields, whatever its figures are', () => {
    const shown = {
      level: 'error',
      event: 'strategy-error',
      fields: { strategy: 'a', error: new Error('cannot hold 3 lots'), lots: 3 },
    } as const;
    const fault = faultIn(shown, 'error')!;
    expect(faultText(fault)).toBe('strategy-error strategy=a error="cannot hold"');
    expect(isShown(fault, { ...shown, fields: { ...shown.fields, error: new Error('cannot hold 17 lots'), lots: 17 } })).toBe(true);
    expect(isShown(fault, { ...shown, fields: { ...shown.fields, strategy: 'b' } })).toBe(false);
    expect(faultIn({ level: 'warn', event: 'operator-command', fields: {} }, 'warn')).toBeNull();
  });
});
