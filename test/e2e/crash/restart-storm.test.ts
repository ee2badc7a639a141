/** Many starts one after another, as by a process manager: the venue's limits are kept, and no id is used twice. */
import { afterEach, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, cleanUp } from '../process.ts';
import { Scene } from '../scene.ts';

const STARTS = Number(process.env['TICKWRIGHT_STORM_STARTS'] ?? 5);

afterEach(cleanUp);

it(`${STARTS} kills in a row, each once the bot is armed, meet no rate limit [P8]`, { timeout: 300_000 + STARTS * 10_000 }, async () => {
  const scene = new Scene(51);
  const exchange = scene.exchange('0', ['--config', 'config/paper.yaml', '--rate-limits', 'config']);
  const url = await addressOf(exchange);
  for (let start = 0; start < STARTS; start++) {
    const bot = scene.run(url);
    await bot.untilLogged('armed');
    await bot.kill('SIGKILL');
    expect(bot.logged('rate-limited')).toEqual([]);
    expect(bot.logged('journal-rollback')).toEqual([]);
  }
  const ids = readLedger(scene.ledgerFolder).orders.flatMap(({ order }) => (order['byVenue'] === true ? [] : [String(order['clientOid'])]));
  expect(new Set(ids).size).toBe(ids.length);
});
