/**
 * docs/operations.md, executed: a real bot on a real exchange is brought into each situation of the page. The page's commands are run, and
 * their answers are checked. A command that occurs only on the page, or only here, is an error.
 */
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { adminOf, cleanUp, DEMO, ROOT, runToEnd, type Program } from '../process.ts';
import { Stage } from '../stage.ts';

const PAGE = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const TOKEN = 'token-of-the-test';
/** Time for several reads of the bot. */
const READS_MS = 1_500;

interface Situation {
  readonly title: string;
  readonly commands: readonly string[];
}

/** Headings of the page with the commands of their `sh` blocks. */
const situations: readonly Situation[] = PAGE.split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.split('\n', 1)[0] ?? '',
    commands: [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap((block) => block[1]!.trim().split('\n')),
  }))
  .filter(({ commands }) => commands.length > 0);

interface Typed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let stage: Stage;
const botFolder = (): string => join(stage.folder, 'bot');
/** The file of the strategy, which a person may edit. */
const holder = (): string => join(stage.folder, 'holder.ts');

/** Splits a command line into words, with double quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map((match) => match[1] ?? match[0]);
}

/** What the words of the page stand for here. */
const given = (): ReadonlyMap<string, string> =>
  new Map([
    ['CONFIG', join(stage.folder, 'bot.yaml')],
    ['NUMBER', String(unsettled)],
    ['STRATEGY', 'holder'],
  ]);

async function type(line: string): Promise<Typed> {
  const [program, ...words] = wordsOf(line);
  expect(program).toBe('tickwright');
  const args = words.map((word) => given().get(word) ?? word);
  const ended: Program = await runToEnd(args.includes('--config') ? args : [...args, '--state', botFolder()], DEMO);
  return { code: ended.code, out: ended.out, err: ended.err };
}

async function status(): Promise<StatusAnswer> {
  const called = await callControl(botFolder(), { method: 'GET', name: 'status', given: {} });
  if (!called.isThere) throw new Error(called.cause);
  return called.body as StatusAnswer;
}

const codes = async (): Promise<string[]> => (await status()).halts.map(({ code }) => code);

async function until(what: string, test: () => Promise<boolean> | boolean): Promise<void> {
  for (let k = 0; k < 1_800; k++) {
    if (await test()) return;
    await sleep(100);
  }
  throw new Error(`not within 180 s: ${what}`);
}

async function faults(...rules: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const reply = await fetch(`${await adminOf(stage.exchange)}/faults`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ seed: 1, rules }),
  });
  expect(reply.status, await reply.text()).toBe(200);
}

const held = (): Promise<void> => until('the leg is held', async () => (await type('tickwright positions')).out.includes('BTCUSDT'));

/** The venue refuses every request, and the bot has noticed the cause. */
async function closed(by: 'ban' | 'maintenance', cause: string): Promise<void> {
  await stage.operator(by, { on: true });
  const noticed = async (): Promise<boolean> => ((await status()).troubles ?? []).filter((one) => one.cause === cause).length === 2;
  await until(`the bot notices ${cause}`, noticed);
}

/** Number of the order whose outcome only a person can enter. */
let unsettled = 0;

/** How the bot gets into each situation, and what the commands must show. Commands end with 0 unless stated otherwise. */
const WAYS: Readonly<
  Record<string, { before?: () => Promise<void> | void; after?: (typed: readonly Typed[]) => Promise<void> | void; code?: number }>
> = {
  'Is the bot all right?': {
    after: ([overview, positions, , fills, pnl]) => {
      expect(overview!.out).toMatch(/armed|running|trading/);
      expect(positions!.out).toContain('BTCUSDT');
      expect(fills!.out).toContain('BTCUSDT');
      expect(pnl!.out).toContain('BTCUSDT');
    },
  },
  'Stop opening, now': {
    after: async ([, overview]) => {
      expect(overview!.out).toContain('news at 3 am');
      expect(overview!.out).toContain('tickwright resume');
      expect(await codes()).not.toContain('operator');
    },
  },
  'The bot does not answer': {
    before: async () => {
      stage.bot.send('SIGSTOP');
      await sleep(READS_MS);
    },
    after: async ([halted]) => {
      stage.bot.send('SIGCONT');
      expect(halted!.out.replaceAll(/\s+/g, ' ')).toMatch(/gives no answer; it was last seen at .*`kill -9 \d+` ends it/);
      await until('the bot has taken it', async () => (await codes()).includes('operator'));
      expect((await type('tickwright resume')).code).toBe(0);
    },
    code: 8,
  },
  'Only let positions get smaller': { after: async () => expect(await codes()).not.toContain('reduce-only') },
  'Somebody traded on the account': {
    before: async () => {
      await sleep(READS_MS);
      await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
      await until('the leg is halted', async () => (await codes()).includes('external-position'));
    },
    after: async () => expect(await codes()).not.toContain('external-position'),
  },
  'The venue liquidated a position': {
    before: async () => {
      await held();
      await sleep(READS_MS);
      await stage.operator('liquidate', { account: 'account-1', symbol: 'BTCUSDT', side: 'LONG' });
      await until('the leg is halted', async () => (await codes()).some((code) => code.startsWith('external-')));
    },
    after: async () => expect((await codes()).filter((code) => code.startsWith('external-'))).toEqual([]),
  },
  'A symbol is halted: outcome-unknown': {
    before: async () => {
      await held();
      await sleep(READS_MS);
      await faults({ fault: 'drop', phase: 'after', endpoints: ['E12'], count: 1 });
      const before = stage.bot.logged('symbol-halted').length;
      expect((await type('tickwright flatten BTCUSDT')).code).toBeLessThanOrEqual(4);
      await until('a command is unknown', () => stage.bot.logged('symbol-halted').length > before);
    },
    after: () => until('the bot knows by itself', async () => !(await codes()).includes('outcome-unknown')),
  },
  'A symbol is halted: outcome-unreadable': {
    before: async () => {
      await until('the spot order is unknown', async () => (await codes()).includes('outcome-unreadable'));
      const { ends } = (await status()).halts.find(({ code }) => code === 'outcome-unreadable')!;
      unsettled = Number(/settle (\d+) landed/.exec(ends)?.[1]);
      expect(unsettled).toBeGreaterThan(0);
    },
    after: async () => expect(await codes()).not.toContain('outcome-unreadable'),
  },
  'Cancel all resting orders': {
    after: async ([, , orders]) => {
      expect(orders!.out).not.toMatch(/BTCUSDT.*OPEN/);
      expect(await codes()).toEqual([]);
    },
  },
  'Close one symbol': { before: held },
  'Close everything and stay closed': {
    before: held,
    after: async ([, overview]) => {
      expect(overview!.out).toContain('tickwright resume --i-know');
      await until('flat', async () => !(await type('tickwright positions')).out.includes('BTCUSDT'));
    },
  },
  'You want another version, strategy or configuration': {
    after: async () => expect((await status()).phase, 'the bot that runs is left alone').toBe('armed'),
  },
  'You edited a strategy': {
    before: () => appendFileSync(holder(), '// Edited.\n'),
    after: ([reloaded, overview]) => {
      expect(reloaded!.out + reloaded!.err).toContain('it runs the text');
      expect(overview!.out).toMatch(/text [0-9a-f]{12} reloaded at/);
    },
  },
  'The process was killed, or the machine started again': {
    before: async () => {
      await stage.bot.kill('SIGKILL');
      await stage.startBot();
      const opens = stage.orders('OPEN').length;
      await sleep(READS_MS);
      expect(stage.orders('OPEN').length, 'a killed bot opens nothing').toBe(opens);
    },
    after: async ([overview]) => {
      expect(overview!.out).toContain('kill');
      expect(await codes()).toEqual([]);
      await held();
    },
  },
  'The bot does not start: code 78': { after: ([doctor]) => expect(doctor!.out + doctor!.err).toMatch(/ok|fine|well/i) },
  'The venue is under maintenance': {
    before: () => closed('maintenance', 'maintenance'),
    after: async ([overview]) => {
      expect(overview!.out.replaceAll(/\s+/g, ' ')).toMatch(
        /trouble signed requests: maintenance, \d+ in a row since \S+ s ago: status 503/,
      );
      expect(overview!.out).toContain('BTCUSDT');
      await stage.operator('maintenance', { on: false });
      await until('it is over', async () => ((await status()).troubles ?? []).length === 0);
      await until('nothing is halted', async () => (await codes()).length === 0);
    },
  },
  'The address of this machine is banned': {
    before: async () => {
      await closed('ban', 'forbidden');
      await until('opens are halted', async () => (await codes()).includes('unauthorized'));
    },
    after: async ([overview]) => {
      const text = overview!.out.replaceAll(/\s+/g, ' ');
      expect(text).toMatch(/trouble signed requests: forbidden, .* trouble public requests: forbidden, .* status 403/);
      await stage.operator('ban', { on: false });
      await until('nothing is halted', async () => (await codes()).length === 0);
    },
  },
  'The venue refuses the key, or something else answers': {
    before: async () => {
      await stage.operator('revoke-key', { account: 'account-1' });
      await until('opens are halted', async () => (await codes()).includes('unauthorized'));
    },
    after: async ([overview]) => {
      expect(overview!.out.replaceAll(/\s+/g, ' ')).toMatch(/trouble signed requests: unauthorized, .* code 40002/);
      expect(overview!.out).not.toContain('public requests');
      await stage.operator('restore-key', { account: 'account-1' });
      await until('nothing is halted', async () => (await codes()).length === 0);
    },
  },
  'The key is to be changed, or has expired': {},
  'The bot was stopped and left orders: code 3': {
    before: () => stage.bot.kill('SIGTERM'),
    after: ([overview]) => expect(overview!.out).toMatch(/stopped/),
  },
  'The store is lost, or an old copy was put back': {
    after: async () => {
      await stage.startBot();
      const [order] = stage.orders('OPEN').slice(-1);
      expect(order).toBeDefined();
    },
  },
  'A symbol was delisted': {
    before: async () => {
      // An order without an answer yet would stay unknown: no endpoint knows the symbol any more. A halt lets no other one leave meanwhile.
      await type('tickwright halt BTCUSDT');
      await until('the order rests', async () => {
        const { orders, unknownOutcomes } = await status();
        return orders > 0 && unknownOutcomes === 0;
      });
      await stage.operator('delist', { symbol: 'BTCUSDT' });
      await until('the symbol is offline', async () => (await codes()).includes('external-offline'));
      expect(await codes()).toContain('offline');
      const isOver = (): boolean =>
        stage.bot.logged('order-cancelled').some(({ symbol, effect }) => symbol === 'BTCUSDT' && effect === 'OPEN');
      await until('the order ends by its record', isOver);
      const flattened = await type('tickwright flatten BTCUSDT --json');
      expect(flattened.out).toContain('the venue refuses BTCUSDT (unknown-instrument), the position stays');
      await type('tickwright resume BTCUSDT');
      await until('the account cannot be read', async () => (await codes()).includes('account-unread'));
      await stage.bot.kill('SIGTERM');
      await stage.startBot({ config: { strategies: [{ file: holder(), symbols: ['ETHUSDT'] }] } });
      await until('another symbol is traded', async () => (await type('tickwright positions')).out.includes('ETHUSDT'));
    },
    after: async ([overview]) => {
      expect(overview!.out).toContain('BTCUSDT LONG: no strategy here trades it');
      expect(stage.bot.logged('position-without-strategy')).toHaveLength(1);
      // The spot market is delisted as well. Its list is read once a minute, so its halts may be there or not.
      const ofContract = (await status()).halts.filter(({ scope }) => scope === 'symbol:BTCUSDT');
      expect(ofContract.map(({ code }) => code)).toEqual(['offline']);
      const others = (await status()).halts.filter(({ scope }) => !['symbol:BTCUSDT', 'symbol:spot:BTCUSDT'].includes(scope));
      expect(others).toEqual([]);
    },
  },
  'Export fills for accounting, and the tax year': {
    after: ([fills, trades]) => {
      expect(trades!.out.trim().split('\n')).toHaveLength(1);
      const [head = '', ...rows] = fills!.out.trim().split('\n');
      expect(head).toMatch(/time.*symbol.*price/);
      expect(rows.length).toBeGreaterThan(1);
    },
  },
};

beforeAll(async () => {
  stage = new Stage();
  copyFileSync(join(ROOT, 'test/e2e/strategies/holder.ts'), holder());
  await faults({ fault: 'drop', phase: 'after', endpoints: ['E1'], count: 1 });
  const strategies = [
    { file: holder(), symbols: ['BTCUSDT'], params: { grid: true } },
    { file: join(ROOT, 'test/e2e/strategies/spot-once.ts'), symbols: ['spot:BTCUSDT'] },
  ];
  await stage.startBot({ config: { strategies } });
  await stage.untilHeld(1);
});

afterAll(async () => {
  await stage.end();
  await cleanUp();
});

describe('the situations of docs/operations.md', () => {
  for (const { title, commands } of situations) {
    it(`${title}: ${commands.length} commands do what the page says`, async () => {
      const way = WAYS[title];
      if (way === undefined) throw new Error(`this test has no way into "${title}"`);
      await way.before?.();
      const typed: Typed[] = [];
      for (const line of commands) {
        const one = await type(line);
        const expected = way.code ?? 0;
        const isAsSaid = one.code === expected || (expected === 0 && one.code === 4);
        expect([line, one.code, isAsSaid ? '' : one.out + one.err]).toEqual([line, isAsSaid ? one.code : expected, '']);
        typed.push(one);
      }
      await way.after?.(typed);
    });
  }

  it('are all on the page', () => {
    expect(Object.keys(WAYS)).toEqual(situations.map(({ title }) => title));
  });
});
