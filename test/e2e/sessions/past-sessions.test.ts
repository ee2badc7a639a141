/** What the monitor shows of a recorded session: the fills of the journal, each moment without what came later, and forks. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { StoryAnswer, WhyAnswer } from '../../../src/control/answers.ts';
import type { FillRow } from '../../../src/control/changes.ts';
import { Pasts } from '../../../src/run/past/pasts.ts';
import { cancelledOrders } from '../../support/sessions/cancelled-orders.ts';
import { addressOf, cleanUp, runToEnd } from '../process.ts';
import { Scene } from '../scene.ts';

afterEach(cleanUp);

const factsOf = ({ time, number, symbol, side, effect, size, price, reason }: FillRow): object => {
  return { time, number, symbol, side, effect, size, price, reason };
};

it('the replay shows the fills of the journal at their times, and forks begin with the session', async () => {
  const scene = new Scene(64);
  // The strategy reads it, also in a replay.
  process.env['CALM_FILE'] = scene.calmFile;
  const bot = scene.run(await addressOf(scene.exchange()));
  await bot.untilLogged('fill', 60);
  await bot.kill('SIGTERM');
  const told = await runToEnd(['fills', '--json', '--last', '1000', '--state', scene.botFolder]);
  const { fills } = JSON.parse(told.out) as { readonly fills: readonly FillRow[] };

  const pasts = new Pasts(join(scene.botFolder, 'sessions'));
  const [row] = pasts.list();
  const session = row!.name;
  const { from, to, differs, end } = await pasts.facts(session);
  expect({ differs, end }).toEqual({ differs: '', end: 'stopped' });
  const fillsAt = (at: number, fork = ''): Promise<readonly FillRow[]> =>
    pasts.read({ session, fork, at }, ({ fills: known }) => known.last(1_000));
  const all = await fillsAt(to);
  expect(all.map(factsOf)).toEqual(fills.toSorted((a, b) => a.id - b.id).map(factsOf));

  // Forwards and backwards: nothing of a later time.
  for (const at of [from, (from + to) / 2, from + 1, to, (from + to) / 3].map(Math.round)) {
    const [size, said] = await pasts.read({ session, fork: '', at }, (model) => [model.fills.size, model.status?.fills ?? 0]);
    expect([size, said]).toEqual([all.filter(({ time }) => time <= at).length, size]);
  }

  const at = Math.round((from + to) / 2);
  const halted = await pasts.fork(session, { how: 'halt', at });
  const forked = await fillsAt(halted.to, halted.id);
  const before = (list: readonly FillRow[]): object[] => list.filter(({ time }) => time <= at).map(factsOf);
  expect(before(forked)).toEqual(before(all));
  expect(forked.length).toBeLessThan(all.length);
  // Two moments that are asked for at the same time get an answer each.
  const [early, late] = await Promise.all([fillsAt(from), fillsAt(to)]);
  expect([early.length, late.length]).toEqual([0, all.length]);
  const { ladders } = (await pasts.why({ session, fork: halted.id, at: at + 500 }, '')) as WhyAnswer;
  expect(ladders.length).toBeGreaterThan(0);
  expect(ladders.map(({ headline }) => headline)).toEqual(ladders.map(() => 'halts'));

  const cancelled = cancelledOrders(join(scene.botFolder, 'sessions', session))[0]!;
  const lost = await pasts.fork(session, { how: 'not-landed', order: cancelled });
  // The session cancels it, and nothing can cancel an order that is not there.
  expect(lost.firstDifference).toMatch(/^Recorded: .+\. Fork: .+\.$/);
  const asked = (await pasts.why({ session, fork: lost.id, at: lost.at + 500 }, '')) as WhyAnswer;
  expect(asked.ladders.length).toBeGreaterThan(0);
  const number = all.find(({ time, effect }) => time > from && effect === 'OPEN')!.number;
  const without = await pasts.fork(session, { how: 'not-landed', order: number });
  expect((await fillsAt(without.to, without.id)).some((fill) => fill.number === number)).toBe(false);
  // The way of an order has no step of a later time.
  const placedAt = all.find((fill) => fill.number === number)!.time - 1;
  const story = (await pasts.why({ session, fork: '', at: placedAt }, String(number))) as StoryAnswer;
  expect(story.steps.filter(({ what }) => what === 'request')).toHaveLength(1);
  expect(story.steps.filter(({ time }) => time > placedAt)).toEqual([]);
  const many = [1, 2, 3, 4, 5].map((k) => pasts.why({ session, fork: '', at: to - k }, ''));
  await expect(Promise.all(many)).rejects.toThrow('replays are waiting');
  await Promise.allSettled(many);
  await expect(pasts.fork(session, { how: 'landed', order: number })).rejects.toThrow(`order ${number} was accepted in the session`);
  await expect(pasts.fork(session, { how: 'set', at, strategy: 'busy', param: 'none', value: '1' })).rejects.toThrow(/none/);
  await expect(pasts.fork(session, { how: 'halt', at: to + 1 })).rejects.toThrow('expected a moment within the session');
  await expect(pasts.facts('2020-01-01T00-00-00-000Z')).rejects.toThrow('expected the name of a recorded session');
});
