/** The fills that the monitor reads from the bot after each reset of the stream. */
import { expect, it } from 'vitest';
import type { FillRow } from '../../../../src/control/changes.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import { FillHistory } from '../../../../src/run/monitor/followed/history.ts';

const PAGE = 3;
const fillOf = (id: number): FillRow => ({ id, time: id }) as FillRow;

/** A bot with fills 1 to `count`, and the model that reads them. Without an answer after `answers` pages. */
function kit() {
  const bot = { count: 0, answers: Infinity, pages: 0 };
  const model = new ReadModel(0);
  const history = new FillHistory(model, (before) => {
    if (bot.answers-- <= 0) return Promise.resolve(null);
    bot.pages++;
    const newest = before === null ? bot.count : before - 1;
    const fills = Array.from({ length: Math.min(PAGE, newest) }, (_, k) => fillOf(newest - k));
    const next = newest > PAGE ? newest - PAGE + 1 : null;
    return Promise.resolve({ fills, next });
  });
  const known = (): number[] => model.fills.last(100).map(({ id }) => id);
  return { bot, model, history, known };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k + 1);

it('a reading that the bot broke off is made up for by the next one, also behind pages that are known', async () => {
  const { bot, history, known } = kit();
  [bot.count, bot.answers] = [20, 2];
  await history.read();
  expect(known()).toEqual([15, 16, 17, 18, 19, 20]);
  bot.answers = Infinity;
  await history.read();
  expect(known()).toEqual(upTo(20));
});

it('fills that the stream brought first hide none from before', async () => {
  const { bot, model, history, known } = kit();
  bot.count = 10;
  await history.read();
  bot.count = 20;
  for (const id of [17, 18, 19, 20]) model.take({ id: `boot-${id}`, kind: 'fill', time: id, fill: fillOf(id) });
  await history.read();
  expect(known()).toEqual(upTo(20));
});

it('an answer of another shape is none, and one that fails ends no later reading', async () => {
  const model = new ReadModel(0);
  const answers: (() => Promise<unknown>)[] = [
    () => Promise.resolve({ ok: true }),
    () => Promise.resolve({ fills: [{ time: 1 }], next: null }),
    () => Promise.reject(new Error('broken')),
    () => Promise.resolve({ fills: [fillOf(1)], next: null }),
  ];
  const history = new FillHistory(model, () => answers.shift()!());
  await history.read();
  await history.read();
  await expect(history.read()).rejects.toThrow('broken');
  await history.read();
  expect(model.fills.last(10)).toEqual([fillOf(1)]);
});

it('a later reading asks only for what is new; one of another journal asks for all', async () => {
  const { bot, history, known } = kit();
  bot.count = 20;
  await history.read();
  expect(bot.pages).toBe(7);
  bot.count = 21;
  await history.read();
  expect(bot.pages).toBe(8);
  bot.count = 9;
  await history.read();
  expect([bot.pages, known()]).toEqual([11, upTo(9)]);
});
