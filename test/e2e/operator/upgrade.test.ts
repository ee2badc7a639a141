/**
 * docs/upgrade.md, executed on a bot with an open position: its commands are typed in order. The other machine is another folder with other locks. It
 * has its keys in a keystore, and they are changed while a position is open. After the loss of a machine the bot has traded on since its backup until
 * it is killed. Judged by the exchange's ledger: no id is used twice, nothing opens before a person looked, and a bot that was stopped before its
 * backup lacks nothing; no secret is anywhere in what was written.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { Secret } from '../../../src/base/secret.ts';
import { Keystore } from '../../../src/config/files/keystore.ts';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { SessionReader, sessionsIn } from '../../../src/edge/file/session-file.ts';
import { machineNow } from '../../../src/edge/time/machine-clock.ts';
import { keyGate, type KeyGate } from '../../support/exchange/key-gate.ts';
import { expectPrivate } from '../modes.ts';
import { addressOf, cleanUp, DEMO, launch, ROOT, runToEnd, STOPPED, type Program } from '../process.ts';
import { Stage } from '../stage.ts';

/** What no file, log or answer may have. */
const PASSPHRASE = 'canary of the keystore';

const gates: KeyGate[] = [];

afterAll(async () => {
  await cleanUp();
  for (const gate of gates) gate.close();
});

const blocks = [...readFileSync(join(ROOT, 'docs/upgrade.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) =>
  text.trim().split('\n'),
);

it('every command of docs/upgrade.md does what the page says [operator]', async () => {
  // As most shells have it, whatever that of the test is.
  process.umask(0o022);
  const stage = new Stage();
  const holder = join(stage.folder, 'holder.ts');
  copyFileSync(join(ROOT, 'test/e2e/strategies/holder.ts'), holder);
  await stage.startBot({ config: { strategies: [{ file: holder, symbols: ['BTCUSDT'] }] } });
  await stage.untilHeld(1);
  const here = join(stage.folder, 'bot');
  const other = join(stage.folder, 'other');
  mkdirSync(other);
  const config = join(stage.folder, 'bot.yaml');
  const elsewhere = join(other, 'bot.yaml');
  const given = parse(readFileSync(config, 'utf8')) as Record<string, object>;
  const keys = { key: DEMO.TICKWRIGHT_KEY, secret: DEMO.TICKWRIGHT_SECRET, passphrase: DEMO.TICKWRIGHT_PASSPHRASE };
  const changed = { key: 'another-key', secret: 'another-secret', passphrase: 'another-pass' };
  // The account has two keys there, as at a venue where a new one was made.
  const gate = await keyGate(await addressOf(stage.exchange), keys, [keys, changed]);
  gates.push(gate);
  const venue = { ...given['venue'], baseUrl: gate.url, credentials: 'keystore:keystore.json' };
  writeFileSync(elsewhere, stringify({ ...given, venue, store: { kind: 'embedded', folder: join(other, 'bot') } }));
  // There the keys are in a keystore, and the environment has none.
  const sealed = join(other, 'keystore.json');
  const store = Keystore.make(new Secret(PASSPHRASE), sealed, { N: 1 << 14, r: 8, p: 1 });
  writeFileSync(sealed, store.with('main', keys, new Date()), { mode: 0o600 });
  writeFileSync(join(other, 'word'), PASSPHRASE, { mode: 0o600 });
  const words = new Map(
    Object.entries({
      FILE: join(stage.folder, 'first.gz'),
      MOVED: join(stage.folder, 'moved.gz'),
      CONFIG: config,
      ELSEWHERE: elsewhere,
      KEYSTORE: sealed,
    }),
  );
  const machine = { TICKWRIGHT_STATE_HOME: join(other, 'locks'), TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE: join(other, 'word') };
  let typed = 0;
  const type = async (line: string): Promise<Program> => {
    const args = line.split(' ').slice(1);
    const isElsewhere = args.includes('ELSEWHERE');
    const all = args.map((word) => words.get(word) ?? word);
    if (all.includes('<')) {
      const input = `${changed.key}\n${changed.secret}\n${changed.passphrase}\n`;
      const rotation = [join(ROOT, 'src/tickwright.js'), ...all.slice(0, all.indexOf('<'))];
      // The second time to the same parts, as in a rehearsal at an exchange that has one key.
      for (const time of [1, 2]) {
        const { status } = spawnSync(process.execPath, rotation, { env: { ...machine, PATH: process.env['PATH'] }, input });
        expect([line, time, status]).toEqual([line, time, 0]);
      }
      typed++;
      return bot;
    }
    const ended = await runToEnd(args.includes('--config') ? all : [...all, '--state', here], isElsewhere ? machine : DEMO);
    expect([line, ended.code, ended.code === 0 ? '' : ended.out + ended.err]).toEqual([line, 0, '']);
    typed++;
    return ended;
  };
  const [upgrade, next] = [blocks.slice(0, 3).flat(), blocks.slice(3).flat()];

  // Upgrade with an open position.
  const made = await type(upgrade[0]!);
  expect(made.out).toMatch(/^.*: bot stage, which runs\n$/);
  expect(made.err).toMatch(/ 1 position, 0 orders\n.*read back and replayed/);
  await type(upgrade[1]!);
  await stage.bot.kill('SIGTERM');
  await stage.startBot();
  const status = await type(upgrade[2]!);
  await type(upgrade[3]!);
  expect(status.out).toContain('BTCUSDT');
  expect(stage.bot.logged('opens-halted')).toEqual([]);
  expect(stage.orders('OPEN')).toHaveLength(1);

  // The bot is stopped before its backup: nothing is missing, and the position stays its own.
  await stage.bot.kill('SIGTERM');
  expect(STOPPED).toContain(stage.bot.code);
  const backup = await type(next[0]!);
  expect(backup.err).toMatch(/ 1 position, 0 orders\n/);
  const restored = await type(next[1]!);
  expect(restored.out).toMatch(/^bot stage is restored in /);
  expect(restored.err).toMatch(/ 1 position.*\n.* old:/);
  expect(restored.err).toContain('tickwright resume');
  await type(next[2]!);
  let bot = launch(['run', '--config', elsewhere], machine);
  await bot.untilLogged('armed');
  const there = join(other, 'bot');
  const answer = await statusOf(there);
  expect(answer.halts).toMatchObject([{ code: 'journal-restored', scope: 'bot', ends: 'tickwright resume' }]);
  expect([answer.placed, answer.fills]).toEqual([1, 1]);
  expect(answer.positions).toMatchObject([{ symbol: 'BTCUSDT', size: '0.100', own: '0.100' }]);
  await sleep(1_000);
  expect(stage.orders('OPEN'), 'nothing opens before a person looked').toHaveLength(1);
  await type(next[3]!);
  const positions = await type(next[4]!);
  expect(positions.out).toContain('BTCUSDT');
  await type(next[5]!);
  await tell(there, 'flatten', { wait: 20_000 });
  // Closed as its own; the strategy opens again, under an id of the new epoch.
  await bot.until('the leg is opened again', () => stage.orders('OPEN').length === 2);

  // The key is changed while the position is open: nothing is sent for it, and the old key is no longer used.
  await type(next[6]!);
  await type(next[7]!);
  const [opened, closed] = [stage.orders('OPEN').length, stage.orders('CLOSE').length];
  await bot.kill('SIGTERM');
  gate.revoke(keys.key);
  bot = launch(['run', '--config', elsewhere], machine);
  await bot.untilLogged('armed');
  const after = await type(next[8]!);
  expect((await type(next[9]!)).out).toContain('BTCUSDT');
  expect(after.out).toMatch(/is armed \(process \d+, started at /);
  expect(after.out).not.toMatch(/HALTED/);
  await sleep(1_000);
  expect([stage.orders('OPEN').length, stage.orders('CLOSE').length]).toEqual([opened, closed]);
  expect(gate.refused, 'requests under the old key').toBe(0);
  const ids = [...stage.orders('OPEN'), ...stage.orders('CLOSE')].map(({ clientOid }) => clientOid);
  expect(new Set(ids).size).toBe(ids.length);
  expect(typed).toBe(blocks.flat().length);
  await bot.kill('SIGTERM');
  await stage.exchange.kill('SIGTERM');
  for (const folder of [here, there, machine.TICKWRIGHT_STATE_HOME]) expectPrivate(folder);
  const written = [...filesIn(here), ...filesIn(there)].map((path) => readFileSync(path).toString('latin1'));
  const sessions = sessionsIn(join(there, 'sessions')).map((folder) => JSON.stringify([...new SessionReader(folder).entries()]));
  const copies = ['FILE', 'MOVED'].map((name) => gunzipSync(readFileSync(words.get(name)!)).toString());
  const all = [bot.out, bot.err, stage.bot.out, stage.bot.err, restored.out, ...written, ...sessions, ...copies].join('\n');
  expect(sessions.length).toBeGreaterThan(0);
  for (const secret of [keys.secret, keys.passphrase, changed.secret, changed.passphrase, PASSPHRASE])
    for (const form of formsOf(secret)) expect(all.includes(form)).toBe(false);
});

it('after the loss of a machine, what the bot did since its backup is missing, and its strategy closes what it does not own [operator]', async () => {
  const stage = new Stage();
  const file = join(stage.folder, 'leaves.ts');
  writeFileSync(file, LEAVES);
  const strategies = (leaves: boolean) => [{ file, symbols: ['BTCUSDT'], params: { leaves } }];
  await stage.startBot({ config: { strategies: strategies(false) } });
  await stage.untilHeld(1);
  const here = join(stage.folder, 'bot');
  const backup = join(stage.folder, 'backup.gz');
  // The backup is made while nothing is open. Then the old bot opens, which only the venue knows.
  await tell(here, 'halt');
  await tell(here, 'flatten', { wait: 20_000 });
  expect((await runToEnd(['backup', backup, '--state', here], DEMO)).code).toBe(0);
  await tell(here, 'resume');
  await stage.bot.until('the leg is opened again', () => stage.orders('OPEN').length === 2 && stage.bot.logged('fill').length >= 3);
  await stage.bot.kill('SIGKILL');

  const other = join(stage.folder, 'other');
  mkdirSync(other);
  const elsewhere = join(other, 'bot.yaml');
  const there = join(other, 'bot');
  const given = parse(readFileSync(join(stage.folder, 'bot.yaml'), 'utf8')) as Record<string, object>;
  writeFileSync(elsewhere, stringify({ ...given, strategies: strategies(true), store: { kind: 'embedded', folder: there } }));
  const machine = { ...DEMO, TICKWRIGHT_STATE_HOME: join(other, 'locks') };
  expect((await runToEnd(['restore', backup, '--config', elsewhere], machine)).code).toBe(0);
  const bot = launch(['run', '--config', elsewhere], machine);
  await bot.untilLogged('armed');
  await bot.until('the strategy closes it', () => stage.orders('CLOSE').length === 2 && bot.logged('fill').length > 0);
  const { halts, placed, fills } = await statusOf(there);
  expect(halts.map(({ code }) => code).toSorted()).toEqual(['external-position', 'journal-restored', 'operator']);
  // Two opened and two closed; of the opening since the backup the journal has the position alone, as a change by nobody.
  expect([placed, fills]).toEqual([3, 4]);
  await sleep(1_000);
  expect(stage.orders('OPEN'), 'nothing opens before a person looked').toHaveLength(2);
  expect((await runToEnd(['resume', '--why', 'moved', '--config', elsewhere], machine)).code).toBe(0);
  await bot.until('the leg is opened again', () => stage.orders('OPEN').length === 3);
  const ids = [...stage.orders('OPEN'), ...stage.orders('CLOSE')].map(({ clientOid }) => clientOid);
  expect(new Set(ids).size).toBe(ids.length);
  await bot.kill('SIGTERM');
  await stage.exchange.kill('SIGTERM');
});

/** Holds a position as long as it may, or, with `leaves`, closes any position that is there when it starts, and then holds one. */
const LEAVES = `import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'leaves',
  doc: 'Holds a position; closes one that is there at the start.',
  params: { leaves: param.boolean(false, { doc: 'Whether it closes what is there at the start.' }) },
  create({ leaves }) {
    let isClosing = leaves;
    return {
      onQuote(market, ctx) {
        const { long } = market;
        if (isClosing && long.lots > 0 && long.closing === 0) ctx.close(market, 'LONG', { reason: 'not mine' });
        if (long.lots === 0 && long.opening === 0) ctx.open(market, 'LONG', { size: '0.1', reason: 'hold' });
      },
      onPosition(event) {
        if (event.change < 0) isClosing = false;
      },
    };
  },
});
`;

/** What nobody types goes to the socket of the bot, without a process. A bot that was too busy to begin it is told again. */
async function tell(folder: string, name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const asked = () => callControl(folder, { method: 'POST', name, given: { by: 'test', askedAt: machineNow(), ...fields } });
  let called = await asked();
  while (called.isThere && (called.body as { readonly code?: string }).code === 'too-late') called = await asked();
  expect(called).toEqual({ isThere: true, status: 200, body: expect.anything() });
}

async function statusOf(folder: string): Promise<StatusAnswer> {
  const called = await callControl(folder, { method: 'GET', name: 'status', given: {} });
  return (called as { body: StatusAnswer }).body;
}

/** The text, and how base64 and hex have it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
}

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map((entry) => join(entry.parentPath, entry.name));
}
