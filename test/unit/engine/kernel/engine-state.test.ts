/** `ctx.state`: typed and checked, written with the orders of the step, and restored from the journal or the snapshot. */
import { defineStrategy, stored, type StrategyContext } from 'tickwright';
import { describe, expect, test } from 'vitest';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { StateShape } from '../../../../src/engine/strategy/durable/stored.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { btc, pushedRig, rig, type Rig } from '../../../support/engine/engine-kit.ts';

type State = Record<string, unknown>;

function begin(
  state: StateShape,
  handlers: StrategyHandlers = {},
  make: typeof rig = pushedRig,
): Rig & { state: State; context: () => StrategyContext } {
  let context: StrategyContext | null = null;
  const strategy = defineStrategy({
    name: 'keeper',
    state,
    create: () => ({
      ...handlers,
      onStart(ctx) {
        context = ctx;
        return handlers.onStart?.(ctx);
      },
    }),
  });
  const r = make({}, { instruments: [btc()], strategies: [{ strategy, instruments: [0] }] });
  return {
    ...r,
    context: () => context!,
    get state() {
      return context!.state as State;
    },
  };
}

const quote = (r: Rig): void => r.kernel.inbox.onQuote(0, 10_000 + r.clock.time++, 5_000, 10_010 + r.clock.time, 5_000);
const set = (ctx: StrategyContext, values: State): void => void Object.assign(ctx.state, values);

describe('a strategy’s durable state', () => {
  test('has its initial values, and is typed by them', () => {
    const r = begin({ count: 0, name: 'x', isOn: false, since: null, levels: [1, 2], ratio: stored.number(0.5) });
    expect({ ...r.state }).toEqual({ count: 0, name: 'x', isOn: false, since: null, levels: [1, 2], ratio: 0.5 });
    defineStrategy({
      name: 'typed',
      state: { count: 0, since: null as number | null, side: stored.choice(['LONG', 'SHORT']), last: stored.map(stored.number(0)) },
      create: () => ({
        onQuote(market, ctx) {
          ctx.state.count += 1;
          ctx.state.since ??= ctx.now;
          ctx.state.side = 'SHORT';
          const last: number | undefined = ctx.state.last[market.symbol];
          // @ts-expect-error text is not a number
          ctx.state.count = 'x';
          // @ts-expect-error no such field
          ctx.state.conut = last;
          // @ts-expect-error values are assigned as a whole
          ctx.state.last['BTCUSDT'] = 1;
        },
      }),
    });
  });

  test('is one record a step, with the changed fields, in the batch of the step’s orders', () => {
    const r = begin(
      { count: 0, note: '', other: 1 },
      {
        onQuote(market, ctx) {
          set(ctx, { count: 1, note: 'a' });
          ctx.open(market, 'LONG', { size: '0.01' });
          set(ctx, { count: 2 });
        },
      },
    );
    expect(r.records.map(({ kind }) => kind)).toEqual(['command', 'state']);
    expect(r.records.at(-1)!.data).toEqual({ strategy: 'keeper', set: { count: 2, note: 'a' } });
    const before = r.records.length;
    r.advance(1);
    expect(r.records).toHaveLength(before);
  });

  test.each([
    ['count', 'x', /state\.count: a finite number was expected, found "x"/],
    ['count', Number.NaN, /state\.count: a finite number was expected, found NaN/],
    ['ratio', 2, /state\.ratio: a finite number of at least 0 and of at most 1 was expected, found 2/],
    ['side', 'BOTH', /state\.side: one of LONG, SHORT was expected, found "BOTH"/],
    ['any', new Map(), /state\.any: a number, text, .* was expected, found a Map/],
    ['any', { at: { when: () => 1 } }, /state\.any\.at\.when: .* was expected, found a function/],
    ['any', undefined, /state\.any: .* found undefined/],
    ['prices', [1, 'x'], /state\.prices\[1\]: a finite number was expected, found "x"/],
    ['box', { low: 1, hihg: 2 }, /state\.box: an object with low, high was expected, found also "hihg"/],
    ['box', { low: 1 }, /state\.box\.high: a finite number was expected, found undefined/],
    ['conut', 1, /state has no field "conut" \(did you mean "count"\?\)/],
    ['any', 'x'.repeat(70_000), /state of at most 65536 characters as JSON was expected, found 7\d{4} with state\.any/],
  ])('refuses %s = %o and keeps what it had', (name, value, message) => {
    const shape = {
      count: 0,
      ratio: stored.number(0, { min: 0, max: 1 }),
      side: stored.choice(['LONG', 'SHORT']),
      any: null,
      prices: stored.list(stored.number(0)),
      box: stored.object({ low: 0, high: 0 }),
    };
    const r = begin(shape);
    const before = { ...r.state };
    expect(() => set(r.context(), { [name]: value })).toThrow(message);
    expect({ ...r.state }).toEqual(before);
  });

  test('values are frozen, and a copy of what was assigned', () => {
    const r = begin({ levels: stored.list(stored.number(0)) });
    const given = [1];
    set(r.context(), { levels: given });
    given.push(2);
    expect(r.state['levels']).toEqual([1]);
    expect(() => (r.state['levels'] as number[]).push(3)).toThrow(TypeError);
  });

  test.each([
    ['a function', { at: () => 1 }, /state\.at: a plain object was expected, found a function/],
    ['a Date', { at: new Date(0) }, /state\.at: a plain object was expected, found a Date/],
    ['an initial value outside its bounds', { at: stored.number(5, { max: 1 }) }, /state\.at: a finite number of at most 1/],
  ])('a definition with %s is refused', (_what, state, message) => {
    expect(() => defineStrategy({ name: 'bad', state, create: () => ({}) })).toThrow(message);
  });
});

describe('after a restart', () => {
  const counting: StrategyHandlers = {
    onQuote: (_market, ctx) => set(ctx, { count: ((ctx.state as State)['count'] as number) + 1, at: { time: ctx.now } }),
  };

  test('the journal alone brings the state back', () => {
    const r = begin({ count: 0, at: {} }, counting);
    for (let k = 0; k < 4; k++) quote(r);
    const snapshot = foldRecords(null, r.records);
    expect(snapshot.state).toEqual({ keeper: { count: 5, at: { time: r.clock.time } } });
    const fresh = begin({ count: 0, at: {}, added: 'new' }, {}, rig);
    fresh.kernel.restore(snapshot);
    fresh.kernel.inbox.start();
    expect({ ...fresh.state }).toEqual({ count: 5, at: { time: r.clock.time }, added: 'new' });
  });

  test('the snapshot and later records do so too, and a strategy that is away keeps its state', () => {
    const r = begin({ count: 0, at: {} }, counting);
    const snapshot = r.kernel.snapshot();
    const later = r.records.length;
    quote(r);
    const other = { ...snapshot, state: { ...snapshot.state, away: { x: 1 } } };
    const folded = foldRecords(JSON.parse(JSON.stringify(other)) as typeof other, r.records.slice(later));
    expect(folded.state).toMatchObject({ keeper: { count: 2 }, away: { x: 1 } });
    const fresh = begin({ count: 0, at: {} }, {}, rig);
    fresh.kernel.restore(folded);
    expect(fresh.kernel.snapshot().state).toEqual(folded.state);
  });

  test('a value that no longer fits its declaration ends the start with a clear error', () => {
    const r = begin({ count: 0, at: {} }, counting);
    const fresh = begin({ count: 'text now', at: {} }, {}, rig);
    expect(() => fresh.kernel.restore(foldRecords(null, r.records))).toThrow(
      /keeper: state\.count: text was expected, found 1; an earlier run saved it.*give the field another name/,
    );
  });
});
