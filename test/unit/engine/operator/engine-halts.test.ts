import { describe, expect, test } from 'vitest';
import type { Halts, HaltScope } from '../../../../src/engine/state/halts.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { JournalRecord } from '../../../../src/ports/store.ts';
import { btc, pushedRig, rig, type Rig } from '../../../support/engine/engine-kit.ts';

const PAIR = { instruments: [btc(0), btc(1, 'ETHUSDT')] };

/** The halts of a kernel: no public method raises one, so the test uses the engine's internals. */
function haltsOf(r: Rig): Halts {
  return (r.kernel as unknown as { core: { halts: Halts } }).core.halts;
}

function pair(): Rig {
  const r = pushedRig({}, PAIR);
  r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  return r;
}

/** The result of an opening order on each leg: BTC long, BTC short, ETH long. */
function opens(r: Rig): boolean[] {
  const [one, two] = r.ctx().markets;
  return [
    r.ctx().limit(one!, 'LONG', 'OPEN', 999, 0.01) !== 0,
    r.ctx().limit(one!, 'SHORT', 'OPEN', 1001, 0.01) !== 0,
    r.ctx().limit(two!, 'LONG', 'OPEN', 999, 0.01) !== 0,
  ];
}

const SCOPES: readonly (readonly [string, HaltScope, readonly boolean[]])[] = [
  ['bot', { kind: 'bot' }, [false, false, false]],
  ['symbol:BTCUSDT', { kind: 'symbol', instrument: 0 }, [false, false, true]],
  ['leg:BTCUSDT:SHORT', { kind: 'leg', instrument: 0, side: 1 }, [true, false, true]],
  ['strategy:probe', { kind: 'strategy', name: 'probe' }, [false, false, false]],
  ['strategy:another', { kind: 'strategy', name: 'another' }, [true, true, true]],
];

describe('a halt', () => {
  test.each(SCOPES)('of %s stops opens of its scope and no others', (text, scope, expected) => {
    const r = pair();
    expect(opens(r)).toEqual([true, true, true]);
    expect(haltsOf(r).raise({ scope, code: 'operator', detail: 'a test', by: 'ann' })).toBe(true);
    expect(r.records.at(-1)).toMatchObject({ kind: 'halt', data: { scope: text, code: 'operator', detail: 'a test', by: 'ann' } });
    expect(opens(r)).toEqual(expected);
    expect(haltsOf(r).lift(scope, 'operator', 'done', 'bob')?.by).toBe('ann');
    expect(r.records.filter(({ kind }) => kind === 'lift')).toHaveLength(1);
    expect(opens(r)).toEqual([true, true, true]);
  });

  test('does not affect closing orders and cancels', () => {
    const r = pair();
    const [market] = r.ctx().markets;
    const order = r.ctx().limit(market!, 'LONG', 'OPEN', 1000.2, 0.01);
    r.venue.accepted(order, 'v1');
    r.venue.pushedFill(order, 10, 10_002);
    const resting = r.ctx().limit(market!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(resting, 'v2');
    haltsOf(r).raise({ scope: { kind: 'bot' }, code: 'kill', detail: '', by: 'ann' });
    expect(r.ctx().close(market!, 'LONG', { limit: 1001 })).not.toBe(0);
    expect(r.ctx().cancel(resting)).toBe(true);
  });

  test('is named in the refusal of an open', () => {
    const r = pair();
    haltsOf(r).raise({ scope: { kind: 'leg', instrument: 0, side: 0 }, code: 'operator', detail: 'news at noon', by: 'ann' });
    opens(r);
    const refused = r.log.lines.find(({ event }) => event === 'intent-refused');
    expect(refused?.fields).toMatchObject({
      why: 'standing',
      detail: 'opens are halted (leg:BTCUSDT:LONG): operator, news at noon; `tickwright resume BTCUSDT:LONG` ends it',
    });
  });

  test('is logged once when it is raised twice [security 10]', () => {
    const r = pair();
    const before = r.records.length;
    const halt = { scope: { kind: 'symbol', instrument: 0 }, code: 'operator', detail: 'first', by: 'ann' } as const;
    expect(haltsOf(r).raise(halt)).toBe(true);
    for (let k = 0; k < 100; k++) expect(haltsOf(r).raise({ ...halt, detail: `again ${k}` })).toBe(false);
    expect(r.records.length - before).toBe(1);
    expect(r.log.events().filter((event) => event === 'symbol-halted')).toHaveLength(1);
    expect(r.kernel.status().halts).toMatchObject([{ detail: 'first', ends: 'tickwright resume BTCUSDT' }]);
  });

  test('is ended by an operator with its own scope or a wider one', () => {
    const r = pair();
    const raise = (scope: string, code: string): boolean =>
      haltsOf(r).raise({ scope: haltsOf(r).parse(scope), code, detail: '', by: 'bot' });
    expect(raise('BTCUSDT LONG', 'position-external')).toBe(true);
    expect(raise('BTCUSDT LONG', 'position-external')).toBe(false);
    raise('BTCUSDT', 'operator');
    raise('strategy:probe', 'operator');
    const scopes = (): string[] => r.kernel.status().halts.map(({ scope }) => scope);
    const resume = (scope: string): string[] => {
      r.kernel.inbox.operate({ name: 'resume', scope, confirmed: true, by: 'ann', why: '' });
      return scopes();
    };
    expect(scopes()).toEqual(['leg:BTCUSDT:LONG', 'symbol:BTCUSDT', 'strategy:probe']);
    expect(resume('ETHUSDT')).toHaveLength(3);
    expect(resume('BTCUSDT LONG')).toEqual(['symbol:BTCUSDT', 'strategy:probe']);
    expect(resume('BTCUSDT')).toEqual(['strategy:probe']);
    expect(resume('all')).toEqual([]);
    expect(opens(r)).toEqual([true, true, true]);
  });

  test('of a strategy that is not configured any more is ended by its name, and by no other', () => {
    const r = pair();
    const halt = { scope: 'strategy:gone', code: 'operator', detail: '', since: 0, by: 'ann', seq: 0 };
    expect(haltsOf(r).restore(halt)).toBe(true);
    expect(opens(r)).toEqual([true, true, true]);
    const resume = (scope: string): unknown => {
      r.kernel.inbox.operate({ name: 'resume', scope, confirmed: true, by: 'ann', why: '' });
      return r.kernel.status().halts.map((one) => one.scope);
    };
    expect(resume('never')).toEqual(['strategy:gone']);
    expect(resume('gone')).toEqual([]);
    expect(() => haltsOf(r).parse('gone')).toThrow('found "gone"');
  });

  test('keeps its scope closed until the last halt of the scope has ended', () => {
    const r = pair();
    const scope = { kind: 'symbol', instrument: 0 } as const;
    haltsOf(r).raise({ scope, code: 'operator', detail: '', by: 'ann' });
    haltsOf(r).raise({ scope, code: 'reduce-only', detail: '', by: 'ann' });
    haltsOf(r).lift(scope, 'operator', '', 'ann');
    expect(opens(r)).toEqual([false, false, true]);
    haltsOf(r).lift(scope, 'reduce-only', '', 'ann');
    expect(opens(r)).toEqual([true, true, true]);
  });

  test('with an end time ends by itself then, and not before', () => {
    const r = pair();
    const until = r.clock.time + 60_000;
    haltsOf(r).raise({ scope: { kind: 'bot' }, code: 'flatten', detail: '', by: 'bot', until });
    r.advance(59_999);
    expect(opens(r)).toEqual([false, false, false]);
    r.advance(1);
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
    expect(opens(r)).toEqual([true, true, true]);
  });

  test.each([
    ['operator', { kind: 'bot' }, 'tickwright resume'],
    ['operator', { kind: 'strategy', name: 'probe' }, 'tickwright resume probe'],
    ['operator', { kind: 'leg', instrument: 1, side: 0 }, 'tickwright resume ETHUSDT:LONG'],
    ['kill', { kind: 'bot' }, 'tickwright resume --i-know'],
    ['journal-rollback', { kind: 'bot' }, 'tickwright rotate-epoch'],
    ['reduce-only', { kind: 'symbol', instrument: 0 }, 'tickwright reduce-only BTCUSDT off'],
  ] as const)('of code %s names the command that ends it: %o', (code, scope, words) => {
    const r = pair();
    haltsOf(r).raise({ scope, code, detail: '', by: 'ann' });
    expect(r.kernel.status().halts[0]?.ends).toBe(words);
    expect(r.log.lines.at(-1)?.fields['ends']).toBe(words);
  });

  test('no resume ends a halt that waits for a new epoch of ids', () => {
    const r = pair();
    haltsOf(r).raise({ scope: { kind: 'bot' }, code: 'journal-rollback', detail: 'an id of another epoch', by: 'bot' });
    const refused = r.kernel.inbox.operate({ name: 'resume', scope: '', confirmed: true, by: 'ann', why: '' });
    expect(refused).toMatchObject({ ok: false, hint: 'tickwright rotate-epoch' });
    expect(r.kernel.halts().map(({ code }) => code)).toEqual(['journal-rollback']);
    r.kernel.inbox.rotateEpoch();
    expect(r.kernel.halts()).toEqual([]);
  });
});

describe('halts across a restart', () => {
  test('are restored from a snapshot with their scope', () => {
    for (const [, scope, expected] of SCOPES) {
      const first = pair();
      haltsOf(first).raise({ scope, code: 'operator', detail: 'why', by: 'ann' });
      const second = rig({}, PAIR);
      second.kernel.restore(first.kernel.snapshot());
      second.kernel.inbox.start();
      for (const i of [0, 1]) second.kernel.inbox.onQuote(i, 10_000, 5_000, 10_002, 5_000);
      expect(opens(second)).toEqual(expected);
      expect(second.kernel.snapshot().halts).toEqual(first.kernel.snapshot().halts);
    }
  });

  test('are restored from journal records alone', () => {
    const r = pair();
    haltsOf(r).raise({ scope: { kind: 'bot' }, code: 'kill', detail: 'all off', by: 'ann' });
    haltsOf(r).raise({ scope: { kind: 'symbol', instrument: 1 }, code: 'operator', detail: '', by: 'ann' });
    haltsOf(r).lift({ kind: 'symbol', instrument: 1 }, 'operator', '', 'ann');
    expect(foldRecords(null, r.records).halts).toEqual(r.kernel.snapshot().halts);
  });

  test('are read from older journals without scopes', () => {
    const records: JournalRecord[] = [
      { kind: 'halt', seq: 4, time: 10, data: { symbol: 'BTCUSDT', why: 'timeout' } },
      { kind: 'halt', seq: 5, time: 11, data: { symbol: 'BTCUSDT', why: 'reset' } },
      { kind: 'lift', seq: 4, time: 12, data: { symbol: 'BTCUSDT', why: 'resolved' } },
    ];
    const { halts } = foldRecords(null, records);
    expect(halts).toEqual([{ scope: 'symbol:BTCUSDT', code: 'outcome-unknown', detail: 'reset', since: 11, by: 'bot', seq: 5 }]);
  });
});

test('whoever listens hears the scope of each halt that a resume may end, and of no other', () => {
  const r = rig();
  const heard: string[] = [];
  r.kernel.onHalt((scope) => heard.push(scope));
  r.kernel.inbox.clockHalt('5 s');
  expect([r.kernel.halts().map(({ code }) => code), heard]).toEqual([['clock-skew'], []]);
  r.kernel.inbox.operate({ name: 'halt', scope: 'BTCUSDT', by: 'ann', why: '' });
  r.kernel.inbox.journalBehind('record 7 is missing');
  expect([r.kernel.halts().length, heard]).toEqual([3, ['symbol:BTCUSDT', 'bot']]);
  // The same again is no new halt.
  r.kernel.inbox.journalBehind('record 7 is missing');
  expect(heard.length).toBe(2);
  expect(['all', '', 'BTCUSDT', 'BTCUSDT:LONG', 'NONE'].map((word) => r.kernel.scopeOf(word))).toEqual([
    'bot',
    'bot',
    'symbol:BTCUSDT',
    'leg:BTCUSDT:LONG',
    null,
  ]);
});
