/** Queries about a bot that is stopped are checked like those to one that runs. */
import { expect, test } from 'vitest';
import { NO_STATUS } from '../../../../src/run/bot/answers/views.ts';
import { answerStopped } from '../../../../src/run/bot/control/control.ts';
import type { QuerySource } from '../../../../src/run/bot/control/operable.ts';
import { ClientIds } from '../../../../src/domain/orders/client-ids.ts';
import { ProfitIndex } from '../../../../src/run/bot/answers/profit.ts';
import { btc } from '../../../support/engine/engine-kit.ts';

const bot: QuerySource = {
  ids: ClientIds.begin({ bot: 'bot', epoch: 1 }),
  instruments: [btc()],
  status: () => ({ ...NO_STATUS, bot: 'bot' }),
  orders: () => [],
  records: () => [],
  lastRecord: () => 0,
  profit: () => new ProfitIndex(),
};

test('each query has its own fields', async () => {
  expect(await answerStopped(bot, 'status', {})).toMatchObject({ status: 200 });
  expect(await answerStopped(bot, 'fills', { last: 3 })).toMatchObject({ status: 200, body: { fills: [] } });
  expect(await answerStopped(bot, 'pnl', { by: 'day' })).toMatchObject({ status: 200, body: { by: 'day' } });
  expect(await answerStopped(bot, 'pnl', { by: 'moon' })).toMatchObject({ status: 400, body: { code: 'bad-request' } });
  expect(await answerStopped(bot, 'status', { by: 'day' })).toMatchObject({ status: 400 });
});

test('a time that is none is refused', async () => {
  expect(await answerStopped(bot, 'fills', { from: 'soon' })).toMatchObject({ status: 400 });
});
