/** What an operator changes of strategies while a bot runs: real bot and exchange, killed around the command, replayed from the recording. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import type { ActAnswer, RefusalAnswer, StatusAnswer, StrategyAnswer } from '../../../src/control/answers.ts';
import type { ControlName } from '../../../src/control/commands.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { machineNow } from '../../../src/edge/time/machine-clock.ts';
import { cleanUp, runToEnd, STOPPED } from '../process.ts';
import { expectEqualReplays } from './equal-replays.ts';
import { Stage } from '../stage.ts';

/** Number of kills around a command; more in a nightly run. */
const KILLS = Number(process.env['TICKWRIGHT_CHANGE_KILLS'] ?? 4);

afterEach(cleanUp);

async function call<T>(stage: Stage, name: ControlName, given: object = {}): Promise<T> {
  const method = name === 'status' ? 'GET' : 'POST';
  const all = name === 'status' ? {} : { askedAt: machineNow(), by: 'test', ...given };
  const called = await callControl(join(stage.folder, 'bot'), { method, name, given: all });
  if (!called.isThere) throw new Error(`no bot: ${called.cause}`);
  return called.body as T;
}

async function strategyOf(stage: Stage): Promise<StrategyAnswer> {
  return (await call<StatusAnswer>(stage, 'status')).strategies[0]!;
}

/** Gives a command and kills the bot around it, then starts it again. True if the command was answered before. */
async function killedAround(stage: Stage, random: Random, command: () => Promise<ActAnswer>): Promise<boolean> {
  const answered = command().then(
    ({ ok }) => ok,
    () => false,
  );
  const isAnswered = random.uniform() < 0.5 ? await answered : await Promise.race([answered, sleep(random.below(12)).then(() => false)]);
  await stage.bot.kill('SIGKILL');
  await stage.startBot();
  return isAnswered;
}

it('set: a parameter in effect at once, also after kill -9 around it; the configuration is shown beside it', async () => {
  const stage = new Stage({ params: { size: '0.1' } });
  await stage.startBot();
  await stage.untilHeld(1);
  const at = ['--state', join(stage.folder, 'bot')];
  const wrong = await runToEnd(['set', 'holder', 'size=much', ...at]);
  expect([wrong.code, wrong.err]).toEqual([
    5,
    expect.stringContaining('parameter "size": a plain decimal above zero such as "0.01" was expected, found "much"'),
  ]);
  const [random, given] = [new Random(7), ['0.2', '0.3']];
  let size = '0.1';
  let answered = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const next = given[kill % 2]!;
    const isAnswered = await killedAround(stage, random, () => call(stage, 'set', { strategy: 'holder', assignment: `size=${next}` }));
    const { params, set, configured } = await strategyOf(stage);
    if (isAnswered) answered++;
    expect(isAnswered ? [next] : [size, next]).toContain(params['size']);
    size = params['size']!;
    expect([set, configured]).toEqual(size === '0.1' ? [[], {}] : [['size'], { size: '0.1' }]);
  }
  expect(answered, 'of all kills some came after the answer').toBeGreaterThan(0);
  const shown = await runToEnd(['status', ...at]);
  expect(shown.out.replaceAll(/\s+/g, ' ')).toContain(`size=${size} (set; 0.1 in the configuration)`);
  const begun = performance.now();
  expect((await call<ActAnswer>(stage, 'set', { strategy: 'holder', assignment: 'size=' })).did[0]).toContain('of the configuration again');
  console.info(`set took ${Math.round(performance.now() - begun)} ms from the call to the durable answer`);
  expect(await strategyOf(stage)).toMatchObject({ params: { size: '0.1' }, set: [], configured: {} });
  expect(await call<RefusalAnswer>(stage, 'set', { strategy: 'nobody', assignment: 'a=1' })).toMatchObject({
    ok: false,
    hint: 'there are holder',
  });
  await stage.bot.kill('SIGTERM');
  expect(STOPPED).toContain(stage.bot.code);
  await expectEqualReplays(join(stage.folder, 'bot'));
});

it('add and remove: the plan of polls follows, positions are closed or left as asked, also after kill -9 around them', async () => {
  const stage = new Stage({ params: { size: '0.1' } });
  await stage.startBot();
  await stage.untilHeld(1);
  const at = ['--state', join(stage.folder, 'bot')];
  const unknown = await runToEnd(['add', 'ETHUSD', ...at]);
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('did you mean "ETHUSDT"?')]);
  const only = await runToEnd(['remove', 'BTCUSDT', ...at]);
  expect([only.code, only.err]).toEqual([5, expect.stringContaining('BTCUSDT is the only symbol of holder')]);
  const begun = performance.now();
  const added = await call<ActAnswer>(stage, 'add', { symbol: 'ETHUSDT' });
  console.info(`add took ${Math.round(performance.now() - begun)} ms from the call to the durable answer`);
  expect(added).toMatchObject({ ok: true, isDone: true });
  const held = (symbol: string): boolean => stage.bot.logged('fill').some((line) => line['symbol'] === symbol && line['effect'] === 'OPEN');
  await stage.bot.until('a position in the new symbol', () => held('ETHUSDT'));
  expect(String(stage.bot.logged('poll-plan').at(-1)?.['plan'])).toContain('quotes(all)');
  const open = await runToEnd(['remove', 'ETHUSDT', ...at]);
  expect([open.code, open.err]).toEqual([5, expect.stringMatching(/ETHUSDT LONG 0\.1\d* is open, or may be\n +add --position flatten/)]);

  const random = new Random(11);
  let symbols: readonly string[] = ['BTCUSDT', 'ETHUSDT'];
  let answered = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const isAdded = !symbols.includes('ETHUSDT');
    const isAnswered = await killedAround(stage, random, () =>
      isAdded ? call(stage, 'add', { symbol: 'ETHUSDT' }) : call(stage, 'remove', { symbol: 'ETHUSDT', position: 'flatten', wait: 0 }),
    );
    const now = await strategyOf(stage);
    const wanted = isAdded ? ['BTCUSDT', 'ETHUSDT'] : ['BTCUSDT'];
    if (isAnswered) answered++;
    expect(isAnswered ? [wanted] : [wanted, symbols]).toContainEqual(now.symbols);
    expect(now.changed).toEqual(now.symbols.includes('ETHUSDT') ? { ETHUSDT: 'added' } : {});
    symbols = now.symbols;
  }
  expect(answered, 'of all kills some came after the answer').toBeGreaterThan(0);

  if (!symbols.includes('ETHUSDT')) await call(stage, 'add', { symbol: 'ETHUSDT' });
  const positions = async (): Promise<string[]> => (await call<StatusAnswer>(stage, 'status')).positions.map(({ symbol }) => symbol);
  for (let isHeld = false; !isHeld; isHeld = (await positions()).includes('ETHUSDT')) await sleep(50);
  const kept = await call<ActAnswer>(stage, 'remove', { symbol: 'ETHUSDT', position: 'keep' });
  expect(kept.did.join('; ')).toContain('stays open, and no strategy watches it: ETHUSDT LONG');
  expect(await positions()).toEqual(['BTCUSDT', 'ETHUSDT']);
  // A strategy takes up the position that it finds.
  const orders = stage.orders('OPEN').length;
  expect((await call<ActAnswer>(stage, 'add', { symbol: 'ETHUSDT' })).ok).toBe(true);
  const flat = await runToEnd(['remove', 'ETHUSDT', '--position', 'flatten', ...at]);
  expect([flat.code, flat.out], flat.err).toEqual([0, expect.stringContaining('flat: reads of the venue')]);
  expect(await positions()).toEqual(['BTCUSDT']);
  expect(stage.orders('OPEN').length, 'nothing was opened').toBe(orders);
  await stage.bot.kill('SIGTERM');
  expect(STOPPED).toContain(stage.bot.code);
  await expectEqualReplays(join(stage.folder, 'bot'));
});
