/** `--quiet` and `NO_COLOR`, for every command of the table. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { main } from '../../../src/cli/run-command-line.ts';
import type { CommandRow } from '../../../src/cli/shell/command-row.ts';
import { quietIo } from '../../../src/cli/shell/quiet.ts';
import { COMMANDS } from '../../../src/cli/table/command-rows.ts';
import { openEmbeddedStore } from '../../../src/edge/embedded/embedded-store.ts';
import { StatusLine } from '../../../src/cli/terminal/status-line.ts';
import { painter } from '../../../src/cli/terminal/terminal.ts';
import type { Io } from '../../../src/run/setup/options.ts';
import { begin } from '../../support/stores/backup-kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwright-quiet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Streams that keep what they got; a terminal of 100 columns, or none. */
function kept(isTty: boolean): { io: Io; out: () => string; err: () => string } {
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err'): Io['stdout'] => ({
    write: (text) => void (texts[name] += text),
    columns: isTty ? 100 : undefined,
  });
  const [stdout, stderr] = [stream('out'), stream('err')];
  const live = new StatusLine(stderr, isTty, painter(isTty, {}));
  return { io: { stdout, stderr, isTty, live }, out: () => texts.out, err: () => texts.err };
}

const RUNNING = COMMANDS.filter(({ run }) => run !== undefined);

/** Runs a command line of which every command is replaced by `run`. */
async function parsed(
  row: CommandRow,
  more: readonly string[],
  env: Record<string, string>,
  isTty: boolean,
): Promise<ReturnType<typeof kept>> {
  const streams = kept(isTty);
  const args = [...row.name.split(' '), ...more];
  const program = await buildProgram(args, { io: streams.io, env, exit: () => undefined });
  await program.parseAsync(args, { from: 'user' }).catch((error: { code?: string }) => expect(error.code).toBe('commander.helpDisplayed'));
  return streams;
}

describe.each(RUNNING.map((row) => [row.name, row] as const))('%s', (_name, row) => {
  it('takes --quiet, and its help says what that does', async () => {
    const { out } = await parsed(row, ['--quiet', '--help'], { NO_COLOR: '1' }, false);
    expect(out()).toMatch(/ {2}--quiet +no progress/);
  });

  it('has a help without colours with NO_COLOR, and with them on a terminal', async () => {
    const coloured = await parsed(row, ['--help'], {}, true);
    expect(coloured.out()).toContain('\u001b[');
    const plain = await parsed(row, ['--help'], { NO_COLOR: '1' }, true);
    expect(plain.out()).not.toContain('\u001b');
    expect(stripVTControlCharacters(coloured.out())).toBe(plain.out());
  });
});

test('quiet leaves out notes, warnings and the status line, and keeps errors, the log and what comes before a question', () => {
  const { io, out, err } = kept(true);
  const quiet = quietIo(io);
  quiet.stdout.write('result\n');
  quiet.stderr.write('warning: no channel of alerts\n');
  quiet.stderr.write('Written: report.html\n');
  quiet.live.update({ symbols: [] } as never);
  quiet.stderr.write('error: the order was refused\n');
  quiet.live.write('a line of the log\n');
  quiet.asks?.write('3 bots\n');
  expect([out(), err()]).toEqual(['result\n', 'error: the order was refused\na line of the log\n3 bots\n']);
});

test('backup --quiet prints one line, the file that it made', async () => {
  const state = join(folder, 'bot');
  const store = openEmbeddedStore({ folder: state });
  await begin(store, 'tw', 3);
  await store.close();
  const made = kept(false);
  const code = await main(['backup', join(folder, 'copy.gz'), '--state', state, '--quiet'], made.io);
  expect([code, made.err()]).toEqual([0, '']);
  expect(made.out()).toMatch(/^.*copy\.gz .*, which is stopped\n$/);
});

test('restore --quiet prints one line, the store that it made', async () => {
  const state = join(folder, 'old');
  const store = openEmbeddedStore({ folder: state });
  await begin(store, 'tw', 3);
  await store.close();
  await main(['backup', join(folder, 'old.gz'), '--state', state], kept(false).io);
  const config = join(folder, 'new.yaml');
  writeFileSync(config, `bot: tw\nstore: { kind: embedded, folder: ${JSON.stringify(join(folder, 'new'))} }\n`);
  const made = kept(false);
  const code = await main(['restore', join(folder, 'old.gz'), '--config', config, '--quiet'], made.io);
  expect([code, made.err()]).toEqual([0, '']);
  expect(made.out()).toMatch(/^bot tw is restored in .*new.*\n$/);
});

test('a command with --quiet prints its result alone, and its errors', async () => {
  const tape = join(folder, 'tape');
  const loud = kept(false);
  const args = ['tape', 'synth', '--duration', '30s', '--symbol', 'BTCUSDT', '--json', '--out'];
  expect(await main([...args, tape], loud.io)).toBe(0);
  const list = ['keys', 'add', 'main', '--quiet', '--keystore', join(folder, 'none', 'keystore.json')];
  const quiet = kept(false);
  expect(await main(['tape', 'info', tape, '--json', '--quiet'], quiet.io)).toBe(0);
  expect(quiet.err()).toBe('');
  expect(JSON.parse(quiet.out())).toBeTypeOf('object');
  const wrong = kept(false);
  expect(await main(list, wrong.io)).not.toBe(0);
  expect(wrong.err()).toMatch(/^error: /);
});
