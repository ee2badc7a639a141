/** A strategy that is given another text while it runs, and the text that comes back. */
import { expect, test } from 'vitest';
import { foldRecords, type KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { type AnyStrategy, defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import { type Reload, type StrategySource, TRIAL_MS } from '../../../../src/engine/strategy/definition/source.ts';
import type { StrategyContext, StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { stored, type StateShape } from '../../../../src/engine/strategy/durable/stored.ts';
import { btc, rig, type Rig, START } from '../../../support/engine/engine-kit.ts';

const ANN = { by: 'ann', why: 'a test' } as const;

const textOf = (sha256: string): StrategySource => ({ sha256, files: [{ file: '/strategies/one.ts', text: sha256 }] });
const [OLD, NEW, THIRD] = [textOf('a'.repeat(64)), textOf('b'.repeat(64)), textOf('c'.repeat(64))];

/** Calls of both texts, in order; `act` is what the new one does with a trade. */
function world(next: (calls: string[]) => StrategyHandlers, given: { state?: StateShape; name?: string } = {}) {
  const calls: string[] = [];
  const text = (name: string): StrategyHandlers => {
    let state = 'nothing';
    return {
      onStart: () => void calls.push(`${name} starts with ${state}`),
      onTrade: () => void calls.push(`${name} trades`),
      save: () => `${name} saved`,
      restore: (saved) => void (state = saved),
    };
  };
  const old = defineStrategy({ name: 'one', state: { count: 1, gone: 'x' }, create: () => text('old') });
  const other = defineStrategy({
    name: given.name ?? 'one',
    state: given.state ?? { count: 5, fresh: 2 },
    create: () => ({ ...text('new'), ...next(calls) }),
  });
  const strategies = new Map<string, AnyStrategy>([
    [OLD.sha256, old],
    [NEW.sha256, other],
    [THIRD.sha256, other],
  ]);
  const strategyOf = ({ sha256 }: StrategySource): AnyStrategy | undefined => strategies.get(sha256);
  const begun = (reload?: Reload, snapshot?: KernelSnapshot): Rig => {
    const strategy = reload === undefined ? old : strategyOf(reload.source)!;
    const r = rig({}, { instruments: [btc(0)], strategies: [{ strategy, reload, instruments: [0] }], strategyOf });
    if (snapshot !== undefined) r.kernel.restore(snapshot);
    r.kernel.inbox.start();
    return r;
  };
  return { calls, begun, r: begun() };
}

type Told = { readonly ok: boolean; readonly message?: string; readonly did?: readonly string[] };
const reload = (r: Rig, source = NEW, before = OLD): Told =>
  r.kernel.inbox.operate({ name: 'reload', strategy: 'one', source, before, ...ANN });
const trade = (r: Rig): void => r.kernel.inbox.onTrade(0, 10_000, 1, 0);
const returned = (r: Rig): unknown[] => r.log.lines.filter(({ event }) => event === 'reload-returned').map(({ fields }) => fields['why']);

test('another text goes on with the state of the one before, and is what a restart gets', () => {
  const { calls, r, begun } = world(() => ({}));
  trade(r);
  expect(reload(r)).toMatchObject({ ok: true, did: [expect.stringContaining('it runs the text bbbbbbbbbbbb of /strategies/one.ts')] });
  trade(r);
  expect(calls).toEqual(['old starts with nothing', 'old trades', 'new starts with old saved', 'new trades']);
  expect((r.kernel.snapshot().state ?? {})['one']).toEqual({ count: 1, fresh: 2 });
  const folded = foldRecords(null, r.records);
  expect(folded.reloads).toEqual(r.kernel.snapshot().reloads);
  const again = begun(folded.reloads!['one'], { ...folded, strategies: r.kernel.snapshot().strategies });
  expect(calls.at(-1)).toBe('new starts with new saved');
  trade(again);
  expect([calls.at(-1), returned(again)]).toEqual(['new trades', []]);
});

test('nothing changes when the text is of another strategy, restores nothing, has other fields or wants other data', () => {
  const names = world(() => ({}), { name: 'two' });
  expect(reload(names.r)).toMatchObject({ ok: false, message: 'expected the strategy "one" in /strategies/one.ts, found "two"' });
  const worlds = [
    [
      world(() => ({
        restore: () => {
          throw new Error('what is that?');
        },
      })),
      'what is that?',
    ],
    [
      world(() => ({ onBar: () => undefined })),
      'not reloaded, the old text still runs: the new one needs other market data (onBar), which takes a restart',
    ],
    [world(() => ({}), { state: { count: stored.text('') } }), 'state.count'],
  ] as const;
  for (const [{ calls, r }, message] of worlds) {
    expect(reload(r)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
    trade(r);
    expect(calls).toEqual(['old starts with nothing', 'old trades']);
    expect([r.kernel.snapshot().reloads, r.records.filter(({ kind }) => kind === 'reload')]).toEqual([undefined, []]);
  }
  const bars = world(() => ({ onBar: () => undefined }));
  expect(reload(bars.r)).toMatchObject({ hint: expect.stringMatching(/^`tickwright stop`, then start the bot/) });
  const { r } = world(() => ({}));
  expect(reload(r, OLD)).toMatchObject({ ok: false, message: expect.stringContaining('is the text that runs') });
});

test.each([
  ['the fields of `state`', { count: 5 }, 'its state was carried over'],
  ['nothing', {}, 'it keeps no state, so it starts without one'],
] as const)('a reload of a strategy that keeps %s says so', (_what, state, said) => {
  const { r } = world(() => ({ save: undefined, restore: undefined }) as never, { state });
  expect(reload(r).did?.[0]).toContain(said);
});

const FAULTS: Readonly<Record<string, readonly [why: string, handlers: (ctx: StrategyContext) => void]>> = {
  throws: [
    'onTrade threw Error: no',
    () => {
      throw new Error('no');
    },
  ],
  'asks for more than its size': [
    'it asks for more than its size: order-size',
    (ctx) => void ctx.place({ market: ctx.markets[0]!, side: 'LONG', effect: 'OPEN', size: 1e5, limit: 900 }),
  ],
  'is refused too often': [
    '10 orders were refused within a minute',
    (ctx) => {
      for (let k = 0; k < 10; k++) ctx.place({ market: ctx.markets[0]!, side: 'LONG', effect: 'OPEN', size: -1, limit: 900 });
    },
  ],
};

test.each(Object.entries(FAULTS))('the text before comes back with its state when the new one %s', (_what, [why, act]) => {
  const { calls, r, begun } = world((said) => ({ onTrade: (_trade, _market, ctx) => (said.push('new trades'), act(ctx)) }));
  expect(reload(r).ok).toBe(true);
  trade(r);
  r.advance(0);
  expect(returned(r)).toEqual([expect.stringContaining(why)]);
  trade(r);
  expect(calls.slice(1)).toEqual(['new starts with old saved', 'new trades', 'old starts with old saved', 'old trades']);
  const kept = foldRecords(null, r.records).reloads!['one']!;
  expect(kept).toMatchObject({ source: OLD, before: null, returned: { failed: NEW.sha256 } });
  expect(r.kernel.status().strategies[0]!.isDisabled).toBe(false);
  // A restart runs what came back.
  const taken = r.kernel.snapshot();
  begun(kept, foldRecords({ ...taken, strategies: { one: 'new saved' } }, r.records));
  expect(calls.at(-1), 'not the state of what failed').toBe('old starts with old saved');
});

test('on trial after a restart too, and not any more after an hour', () => {
  let isBad = false;
  const act = (said: string[]): StrategyHandlers => ({
    onTrade: () => {
      said.push('new trades');
      if (isBad) throw new Error('no');
    },
  });
  const { r, begun } = world(act);
  expect(reload(r).ok).toBe(true);
  const saved = r.kernel.snapshot();
  isBad = true;
  const again = begun(saved.reloads!['one'], saved);
  trade(again);
  again.advance(0);
  expect(returned(again)).toHaveLength(1);
  r.advance(TRIAL_MS);
  trade(r);
  r.advance(0);
  expect([returned(r), saved.reloads!['one']!.at]).toEqual([[], START]);
});

const throws = (isBad: () => boolean) => (): StrategyHandlers => ({
  onTrade: () => {
    if (isBad()) throw new Error('no');
  },
});

test('a text that is proven comes back by hand without a trial, so that no fault of it brings the other back', () => {
  for (const [pause, chain] of [
    [0, [NEW]],
    [2 * TRIAL_MS, [NEW]],
    [0, [NEW, THIRD]],
  ] as const) {
    const { r } = world(() => ({}));
    let last = OLD;
    for (const next of chain) {
      expect(reload(r, next, last).ok).toBe(true);
      last = next;
    }
    r.advance(pause);
    expect(reload(r, OLD, last).ok).toBe(true);
    expect(r.kernel.snapshot().reloads!['one']).toMatchObject({ source: OLD, before: null, returned: null });
  }
});

test('after two reloads in an hour the text returns that was on no trial, with its state', () => {
  let isBad = false;
  const { calls, r } = world(throws(() => isBad));
  expect(reload(r).ok).toBe(true);
  r.advance(300_000);
  expect(reload(r, THIRD, NEW).ok).toBe(true);
  expect(calls.at(-1)).toBe('new starts with new saved');
  isBad = true;
  trade(r);
  r.advance(0);
  expect([calls.at(-1), r.kernel.snapshot().reloads!['one']!.source]).toEqual(['old starts with old saved', OLD]);
});

test('after its hour a text is what comes back', () => {
  let isBad = false;
  const { r } = world(throws(() => isBad));
  expect(reload(r).ok).toBe(true);
  r.advance(TRIAL_MS);
  expect(reload(r, THIRD, NEW).ok).toBe(true);
  isBad = true;
  trade(r);
  r.advance(0);
  expect(r.kernel.snapshot().reloads!['one']).toMatchObject({ source: NEW, before: null });
});

test('refused if another text runs than when the file was read', () => {
  const { r } = world(throws(() => true));
  expect(reload(r).ok).toBe(true);
  trade(r);
  r.advance(0);
  expect(reload(r, THIRD, NEW)).toMatchObject({ ok: false, message: 'another text runs meanwhile: aaaaaaaaaaaa, not bbbbbbbbbbbb' });
});
