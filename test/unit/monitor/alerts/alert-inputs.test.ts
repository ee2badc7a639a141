/** What alerts look at: a silent bot and a silent venue are seen in time, and nothing is seen of one that answers. */
import { expect, test } from 'vitest';
import { botLevels, lostLevel } from '../../../../src/monitor/alerts/alert-inputs.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import type { StatusRow } from '../../../../src/control/changes.ts';

const NOW = 1_000_000;

function modelOf(status: Partial<StatusRow>): ReadModel {
  const model = new ReadModel(0);
  model.status = { time: NOW, troubles: [], ...status } as unknown as StatusRow;
  model.connection = { state: 'connected', since: 0, heardAt: NOW, cause: '' };
  return model;
}

test('a venue is silent once a request has waited for a second, whatever the time-out is', () => {
  for (const [silentSince, expected] of [
    [0, []],
    [NOW - 999, []],
    [NOW - 1_000, ['silent']],
    [NOW - 60_000, ['silent']],
  ] as const) {
    expect(botLevels(modelOf({ venueSilentSince: silentSince })).map(({ name }) => name)).toEqual(expected);
  }
  expect(botLevels(modelOf({})), 'a bot of an older version').toEqual([]);
});

test('a bot that sends nothing is lost in less than five seconds', () => {
  const model = modelOf({});
  expect(lostLevel(model, NOW, NOW + 3_499)).toBe(null);
  expect(lostLevel(model, NOW, NOW + 3_500)).toMatchObject({ name: 'lost' });
});
