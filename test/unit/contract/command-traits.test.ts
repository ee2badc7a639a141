/** The table of command traits: each kind has a row, and the packed bits agree with the row. */
import { expect, test } from 'vitest';
import { COSTS } from '../../../src/contract/endpoints/costs.ts';
import { CLOSE, COMMANDS, MODIFY, OPEN, PLACE } from '../../../src/domain/codes.ts';
import * as traits from '../../../src/domain/orders/command-traits.ts';
import { LANE_BUCKETS } from '../../../src/run/setup/bot-parts.ts';

const KINDS = COMMANDS.map((_, kind) => kind).slice(1);

test('every kind of command has a row, and no row is superfluous', () => {
  expect(
    Object.keys(traits.COMMAND_TRAITS)
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual(KINDS);
});

test('the functions of the order path agree with the table', () => {
  for (const kind of KINDS) {
    const row = traits.COMMAND_TRAITS[kind]!;
    expect(traits.isCancel(kind), COMMANDS[kind]).toBe(row.isCancel);
    expect(traits.makesOrder(kind), COMMANDS[kind]).toBe(row.makesOrder);
    expect(traits.isSpot(kind), COMMANDS[kind]).toBe(row.product === 'spot');
    expect(traits.productOf(kind), COMMANDS[kind]).toBe(row.product);
    expect(traits.isMargin(kind), COMMANDS[kind]).toBe(row.bucket === 'margin');
    expect(traits.cancelOf(kind), COMMANDS[kind]).toBe(row.cancelledBy);
    for (const effect of [OPEN, CLOSE]) {
      const lane = row.isCancel ? 'cancel' : effect === CLOSE ? 'close' : 'open';
      expect(traits.LANES[traits.laneOf(kind, effect)], COMMANDS[kind]).toBe(lane);
    }
  }
  expect([0, 31].map((kind) => traits.isCancel(kind) || traits.makesOrder(kind))).toEqual([false, false]);
});

test('placing commands name the cancel of their product, other commands none', () => {
  for (const kind of KINDS.filter(traits.makesOrder)) {
    const cancel = traits.COMMAND_TRAITS[traits.cancelOf(traits.orderKindOf(kind))]!;
    expect(cancel).toMatchObject({ isCancel: true, makesOrder: false, product: traits.productOf(kind) });
  }
  expect(traits.orderKindOf(MODIFY)).toBe(PLACE);
});

test('names agree with the rows: cancels, orders, spot', () => {
  const named = (word: RegExp): number[] => KINDS.filter((kind) => word.test(COMMANDS[kind]!));
  expect(KINDS.filter(traits.isCancel)).toEqual(named(/^cancel/));
  expect(KINDS.filter(traits.makesOrder)).toEqual(named(/^(place|modify)/));
  expect(KINDS.filter(traits.isSpot)).toEqual(named(/Spot$/));
  expect(KINDS.filter(traits.isMargin)).toEqual(named(/Margin/));
});

test('the rate bucket of a kind is that of its endpoint', () => {
  const costs = {
    E1: COSTS.placeSpotOrders,
    E2: COSTS.cancelSpotOrders,
    E10: COSTS.setMarginMode,
    E11: COSTS.setMargin,
    E12: COSTS.placeOrder,
    E13: COSTS.placePlanOrder,
    E14: COSTS.modifyOrder,
    E15: COSTS.cancelOrders,
    E16: COSTS.cancelPlanOrders,
  };
  for (const [endpoint, { bucket }] of Object.entries(costs)) {
    const row = Object.values(traits.COMMAND_TRAITS).find(({ unknown }) => unknown.endpoint === endpoint);
    expect(row?.bucket, endpoint).toBe(LANE_BUCKETS[bucket]);
  }
});
