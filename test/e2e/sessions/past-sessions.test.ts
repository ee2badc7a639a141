/** What the monitor shows of a recorded session: the fills of the journal, each moment without what came later, and forks. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { FillRow } from '../../../src/control/changes.ts';
import { Pasts } from '../../../src/run/past/pasts.ts';
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
  const { from, to, differs, end, outcomes } = await pasts.facts(session);
  expect({ differs, end }).toEqual({ differs: '', end: 'stopped' });
  const last = await pasts.model({ session, fork: '', at: to });
  const all = last.fills.last(1_000);
  expect(all.map(factsOf)).toEqual(fills.toSorted((a, b) => a.id - b.id).map(factsOf));

  // Forwards and backwards: nothing of a later time.
  for (const at of [from, (from + to) / 2, from + 1, to, (from + to) / 3].map(Math.round)) {
    const model = await pasts.model({ session, fork: '', at });
    expect(model.fills.size).toBe(all.filter(({ time }) => time <= at).length);
    expect(model.status?.fills ?? 0).toBe(model.fills.size);
  }

  const at = Math.round((from + to) / 2);
  const halted = await pasts.fork(session, { how: 'halt', at });
  const forked = (await pasts.model({ session, fork: halted.id, at: halted.to })).fills.last(1_000);
  const before = (list: readonly FillRow[]): object[] => list.filter(({ time }) => time < at).map(factsOf);
  expect(before(forked)).toEqual(before(all));
  expect(forked.length).toBeLessThan(all.length);
  // Orders that were under way when opens were halted may still fill; none is placed after that.
  const [firstAfter] = Object.keys(outcomes)
    .map(Number)
    .filter((number) => all.some((fill) => fill.number === number && fill.time > at + 5_000));
  if (firstAfter !== undefined) expect(forked.some((fill) => fill.number === firstAfter && fill.effect === 'OPEN')).toBe(false);
  expect((await pasts.why({ session, fork: halted.id, at: at + 500 })).every(({ headline }) => headline === 'halts')).toBe(true);

  const { number } = all.find(({ time, effect }) => time > from && effect === 'OPEN')!;
  const lost = await pasts.fork(session, { how: 'not-landed', order: number });
  const without = (await pasts.model({ session, fork: lost.id, at: lost.to })).fills.last(1_000);
  expect(without.some((fill) => fill.number === number)).toBe(false);
  expect(lost.firstDifference).not.toBe('');
  await expect(pasts.fork(session, { how: 'landed', order: number })).rejects.toThrow(`order ${number} was accepted in the session`);
  await expect(pasts.fork(session, { how: 'set', at, strategy: 'busy', param: 'none', value: '1' })).rejects.toThrow(/none/);
  await expect(pasts.fork(session, { how: 'halt', at: to + 1 })).rejects.toThrow('expected a moment within the session');
  await expect(pasts.facts('2020-01-01T00-00-00-000Z')).rejects.toThrow('expected the name of a recorded session');
});
