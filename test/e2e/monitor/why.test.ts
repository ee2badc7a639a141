/** `why` as an operator types it: now, of a past moment, of an order, and of a bot that has stopped. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { StoryAnswer, WhyAnswer } from '../../../src/control/answers.ts';
import type { Ladder } from '../../../src/domain/messages/why.ts';
import { eventually } from '../../support/eventually.ts';
import { cleanUp, freshFolder, launch, runToEnd, STOPPED } from '../process.ts';

afterEach(cleanUp);

/** The commands of the page, without the one whose time is made up. */
const COMMANDS = [...readFileSync('docs/monitor.md', 'utf8').matchAll(/^tickwright (why[^#\n]*)/gm)].map(([, line = '']) => line.trim());

it('answers of a running bot, of its past, of an order, and after its end', async () => {
  const folder = freshFolder();
  const at = ['--state', join(folder, 'bot')];
  const bot = launch(['start', '--synth', '--state', folder, '--strategy', 'test/e2e/strategies/noter.ts', '--symbol', 'BTCUSDT']);
  await bot.untilLogged('fill');
  const why = async (...args: string[]): Promise<unknown> => {
    const program = await runToEnd(['why', ...args, ...at, '--json']);
    expect(program.code, `${args.join(' ')}: ${program.err}`).toBe(0);
    return JSON.parse(program.out);
  };
  const ladder = async (...args: string[]): Promise<Ladder> => ((await why(...args)) as WhyAnswer).ladders[0]!;

  // It opened once and asks for nothing more: the answer has its last note.
  await eventually(async () => expect((await ladder('noter')).headline).toBe('intent'));
  const asked = await ladder('BTCUSDT');
  expect(asked.checks.find(({ name }) => name === 'intent')?.text).toMatch(/LONG OPEN 0\.001.*its last note: spread/);
  expect(asked.funnel).toMatchObject({ bars: 0, signals: 1, intents: 1, allowed: 1, accepted: 1, filled: 1 });

  const before = new Date().toISOString().slice(0, 19);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await runToEnd(['halt', 'BTCUSDT', '--why', 'news', ...at])).code).toBe(0);
  expect(await ladder()).toMatchObject({ headline: 'halts' });
  // The second before the halt, replayed.
  await eventually(async () => {
    const past = (await why('--at', before)) as WhyAnswer;
    expect(past).toMatchObject({ isReplayed: true, ladders: [{ strategy: 'noter', headline: 'intent' }] });
  });

  const story = (await why('1')) as StoryAnswer;
  expect(story.sentence).toMatch(/^Order 1 \(LONG OPEN MARKET 0\.001 BTCUSDT.*asked by noter.*accepted.*0\.001 filled.*ended filled\.$/);
  const steps = story.steps.map(({ what }) => what);
  expect(steps.slice(0, 6)).toEqual(['event', 'handler', 'note', 'rules', 'request', 'answer']);
  expect(steps.slice(steps.indexOf('read'))).toEqual(expect.arrayContaining(['read', 'fill', 'end']));
  expect(story.steps.find(({ what }) => what === 'handler')?.text).toBe('noter ran onQuote');

  const pageLines = COMMANDS.map((line) => line.replace('10:32', before.slice(11)).split(/\s+/));
  expect(pageLines.length).toBeGreaterThan(4);
  for (const line of pageLines) expect((await runToEnd([...line, ...at])).code, line.join(' ')).toBe(0);
  expect((await runToEnd(['why', 'DOGEUSDT', ...at])).code).toBe(2);

  await bot.kill('SIGINT');
  expect(STOPPED).toContain(bot.code);
  expect(await ladder()).toMatchObject({ headline: 'running' });
  expect(((await why('1')) as StoryAnswer).steps.map(({ what }) => what)).toEqual(steps);
});
