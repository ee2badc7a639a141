/** `status --all` and `kill --all` over real bots: two on one account, others on theirs, one that hangs, one that was killed, one stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { BotRow, HubAnswer, KillRow } from '../../../src/control/hub.ts';
import { cleanUp, freshFolder, runToEnd } from '../process.ts';
import { Fleet } from './fleet.ts';

afterEach(cleanUp);

async function overview(...folders: readonly string[]): Promise<HubAnswer> {
  const { out } = await runToEnd(['status', '--json', '--all', ...folders]);
  return JSON.parse(out) as HubAnswer;
}

/** Waits until an overview is as wanted. */
async function until(folders: readonly string[], isWanted: (answer: HubAnswer) => boolean): Promise<HubAnswer> {
  for (;;) {
    const answer = await overview(...folders);
    if (isWanted(answer)) return answer;
    await sleep(200);
  }
}

/** "first running", by folder. A bot that waits for a processor may be silent for a moment. */
const statesIn = ({ bots }: HubAnswer): string => bots.map(({ bot, state }) => `${bot} ${state}`).join(', ');
const isKilled = ({ halts }: BotRow): boolean => halts.some(({ code }) => code === 'kill');

it('status --all counts an account once, names a bot that hangs or was killed; kill --all skips none', async () => {
  const fleet = new Fleet(3);
  const second = fleet.folderOf('second');
  const [first, other, stopped] = await Promise.all([
    fleet.start({ name: 'first', account: 1, symbol: 'BTCUSDT' }),
    fleet.start({ name: 'other', account: 2, symbol: 'BTCUSDT', env: { TICKWRIGHT_MONITOR_ENABLED: 'always' } }),
    fleet.start({ name: 'stopped', account: 3, symbol: 'BTCUSDT' }),
  ]);
  await stopped.kill('SIGTERM');
  await until([], ({ bots }) => bots.every(({ positions }) => positions === 1));
  await fleet.start({ name: 'second', account: 1, symbol: 'ETHUSDT', home: freshFolder() });
  // Both bots of the first account see its leg: it counts once.
  const all = await until(
    [second],
    (answer) =>
      statesIn(answer) === 'first running, other running, second running' &&
      answer.bots.every(({ positions, equity }) => positions === 1 && equity !== ''),
  );
  expect(all.accounts.map(({ bots, marginCoin, positions }) => [bots, marginCoin, positions])).toEqual([
    [['first', 'second'], 'USDT', 1],
    [['other'], 'USDT', 1],
  ]);
  const [total, ...more] = all.totals;
  expect(more).toEqual([]);
  const equities = all.accounts.map(({ equity }) => Number(equity));
  expect(total).toMatchObject({ account: 'local', accounts: 2, known: 2, equity: (equities[0]! + equities[1]!).toFixed(2) });
  expect(statesIn(await overview(second, fleet.folderOf('stopped')))).toMatch(/, stopped stopped$/);
  const text = JSON.stringify(all);
  for (const word of ['demo-key', 'demo-secret', 'demo-pass']) expect(text).not.toContain(word);

  other.send('SIGSTOP');
  const hung = await until([second], (answer) => statesIn(answer) === 'first running, other silent, second running');
  expect(hung.bots[1]!.says).toContain(`process ${other.pid}`);
  // Its monitor knows what it said last: its account stays in the sums, and is not called current.
  expect(hung.uncounted).toEqual([]);
  expect(hung.accounts.map(({ bots, equity, isCurrent }) => [bots, equity !== '', isCurrent])).toEqual([
    [['first', 'second'], true, true],
    [['other'], true, false],
  ]);
  await first.kill('SIGKILL');
  const shown = await runToEnd(['status', '--all', second]);
  expect([shown.code, shown.out]).toEqual([8, expect.stringMatching(/^first: WAS KILLED[^]*other: GIVES NO ANSWER/)]);

  const rehearsed = await runToEnd(['kill', '--rehearse', '--json', '--all', second]);
  expect([rehearsed.code, JSON.parse(rehearsed.out)]).toMatchObject([
    8,
    [
      { bot: 'first', outcome: 'recorded', did: [expect.stringContaining('does not run')] },
      { bot: 'other', outcome: 'silent', did: [expect.stringContaining('it cannot be asked now: gives no answer')] },
      { bot: 'second', outcome: 'done' },
    ],
  ]);
  expect(rehearsed.out).toContain('nothing was sent, and nothing is halted');
  const refused = await runToEnd(['kill', '--all', second]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('"kill 3 bots"')]);
  expect((await overview(second)).bots.filter(isKilled)).toEqual([]);
  const killed = await runToEnd(['kill', '--all', second, '--yes', '--json']);
  const rows = JSON.parse(killed.out) as KillRow[];
  expect([killed.code, rows.map(({ bot, outcome }) => [bot, outcome])]).toEqual([
    8,
    [
      ['first', 'recorded'],
      ['other', 'silent'],
      ['second', expect.stringMatching(/^(done|partly|silent)$/)],
    ],
  ]);
  expect(killed.err).toContain('other  ');
  // The bot that hung carries it out when it goes on. The leg that is left is of the bot that does not run.
  other.send('SIGCONT');
  await until(
    [second],
    (answer) =>
      statesIn(answer) === 'first killed, other running, second running' && answer.bots.every(isKilled) && answer.bots[1]!.positions === 0,
  );
});
