/** Ready-made bots that an operator adds beside the strategies of the configuration: what the kernel keeps of them, and what it refuses. */
import { expect, test } from 'vitest';
import type { AddedStrategy } from '../../../../src/domain/ready-made.ts';
import type { OperatorCommand, OperatorResult } from '../../../../src/engine/operator/command.ts';
import { foldRecords, type KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategyContext } from '../../../../src/engine/strategy/definition/types.ts';
import { btc, rig, type Rig } from '../../../support/engine/engine-kit.ts';

const ANN = { by: 'ann', why: 'a test' } as const;
const GRID: AddedStrategy = { bot: 'grid', symbols: ['ETHUSDT'], params: { range: '3' }, at: 1 };

type Given = Extract<OperatorCommand, { name: 'add-strategy' | 'remove-strategy' }>;

const operate = (r: Rig, command: Given): OperatorResult => r.kernel.inbox.operate(command);
const add = (r: Rig, strategy: string, added = GRID): OperatorResult => operate(r, { name: 'add-strategy', strategy, added, ...ANN });
const remove = (r: Rig, strategy: string): OperatorResult => operate(r, { name: 'remove-strategy', strategy, ...ANN });

const quiet = defineStrategy({ name: 'configured', create: () => ({}) });
let inGrid: StrategyContext | null = null;
const grid = defineStrategy({ name: 'grid', create: () => ({ onStart: (ctx) => void (inGrid = ctx) }) });

/** A bot as it is opened: the strategies of its configuration, and those that were added. */
function opened(snapshot: KernelSnapshot | null = null): Rig {
  const names = Object.keys(snapshot?.added ?? {});
  const strategies = [{ strategy: quiet, instruments: [0] }, ...names.map((name) => ({ name, strategy: grid, instruments: [1] }))];
  const r = rig({}, { instruments: [btc(0), btc(1, 'ETHUSDT')], strategies });
  if (snapshot !== null) r.kernel.restore(snapshot);
  return r;
}

function started(snapshot: KernelSnapshot | null = null): Rig {
  const r = opened(snapshot);
  r.kernel.inbox.start();
  return r;
}

test('what is added is in snapshot and journal, once; what is removed is not', () => {
  const r = started();
  expect(add(r, 'grid')).toMatchObject({ ok: true, did: [expect.stringContaining('grid is added: grid on ETHUSDT')] });
  expect(r.kernel.snapshot().added).toEqual({ grid: GRID });
  const folded = foldRecords(null, r.records);
  expect(folded.added).toEqual({ grid: GRID });

  const again = started(folded);
  expect(again.kernel.status().strategies.map(({ name, isAdded }) => [name, isAdded])).toEqual([
    ['configured', false],
    ['grid', true],
  ]);
  expect(add(again, 'grid')).toMatchObject({ ok: false, message: 'there is a strategy "grid" already' });
  again.kernel.inbox.operate({ name: 'halt', scope: 'grid', ...ANN });
  expect(again.kernel.halts()).toHaveLength(1);
  expect(remove(again, 'grid')).toMatchObject({ ok: true });
  // Until the bot is opened again it does nothing more, though its halt is over.
  expect(again.kernel.status().strategies.map(({ name, isDisabled }) => [name, isDisabled])).toEqual([
    ['configured', false],
    ['grid', true],
  ]);
  // No word of the bot would name its scope any more.
  expect(again.kernel.halts()).toEqual([]);
  expect(again.kernel.snapshot().added).toBeUndefined();
  expect(foldRecords(folded, again.records).added).toBeUndefined();
});

test('until the bot is opened again there is no second change', () => {
  const r = started();
  expect(add(r, 'grid').ok).toBe(true);
  expect(add(r, 'dca', { ...GRID, bot: 'dca' })).toMatchObject({ ok: false, message: 'the bot has not started yet, or it stops' });
  expect(remove(r, 'grid')).toMatchObject({ ok: false });
  expect(r.kernel.snapshot().added).toEqual({ grid: GRID });
});

test('before the start nothing is added, and nothing is journaled', () => {
  const r = opened();
  expect(add(r, 'grid')).toMatchObject({ ok: false, hint: expect.stringContaining('armed') });
  expect([r.kernel.snapshot().added, r.records]).toEqual([undefined, []]);
});

test('a strategy of the configuration, and one that is not there, cannot be removed', () => {
  const r = started();
  expect(remove(r, 'configured')).toMatchObject({ ok: false, code: 'refused', hint: expect.stringContaining('configuration') });
  expect(remove(r, 'nobody')).toMatchObject({ ok: false, code: 'no-such-strategy', hint: 'none was added' });
});

test('one with an order or a position is not removed: nothing would watch it', () => {
  const r = started({ ...opened().kernel.snapshot(), added: { grid: GRID } });
  r.kernel.inbox.onQuote(1, 10_000, 1_000, 10_001, 1_000);
  const ctx = inGrid!;
  const number = ctx.open(ctx.markets[0]!, 'LONG', { size: '0.01', limit: 90 });
  expect(remove(r, 'grid')).toMatchObject({ ok: false, code: 'position-open', message: 'grid has 1 live order' });
  r.venue.accepted(number, 'v-1');
  r.venue.pushedFill(number, 10, 900);
  expect(remove(r, 'grid')).toMatchObject({ code: 'position-open', message: 'grid has a position' });
  expect(r.kernel.snapshot().added).toEqual({ grid: GRID });
});

test('one that the configuration has by now, or that could not be made, can still be removed', () => {
  const r = started({ ...opened().kernel.snapshot(), added: { grid: GRID } });
  const left = rig({}, { instruments: [btc(0)], strategies: [{ strategy: quiet, instruments: [0] }] });
  left.kernel.restore(r.kernel.snapshot());
  left.kernel.inbox.start();
  expect(left.kernel.snapshot().added).toEqual({ grid: GRID });
  expect(remove(left, 'grid')).toMatchObject({ ok: true });
  expect(left.kernel.snapshot().added).toBeUndefined();
});
