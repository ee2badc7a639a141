/** The output of `--help`: it fits the terminal, its examples are valid command lines, and it names optional parts and their defaults. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../../src/cli/run-command-line.ts';

interface Shown {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, on a terminal with this many columns. */
async function run(args: readonly string[], columns = 80): Promise<Shown> {
  let stdout = '';
  let stderr = '';
  const live = { update: () => undefined, write: () => undefined, end: () => undefined };
  const out = { write: (text: string) => void (stdout += text), columns };
  const status = await main(args, { stdout: out, stderr: { write: (text) => void (stderr += text) }, isTty: false, live });
  return { status, stdout, stderr };
}

describe('help', () => {
  beforeEach(() => {
    vi.stubEnv('NO_COLOR', '1');
    return () => vi.unstubAllEnvs();
  });

  test('has bold headings on a terminal that supports them', async () => {
    vi.stubEnv('NO_COLOR', '');
    vi.stubEnv('TERM', 'xterm');
    const { stdout } = await run(['exchange', '--help']);
    for (const heading of ['Usage:', 'Market:', 'Examples:']) expect(stdout).toContain(`\u001b[1m${heading}\u001b[22m`);
    vi.stubEnv('TERM', 'dumb');
    expect((await run(['exchange', '--help'])).stdout).not.toContain('\u001b');
  });

  test('has the usual width on a terminal that does not know its size', async () => {
    expect(await run(['backtest', '--help'], 0)).toEqual(await run(['backtest', '--help'], 80));
  });

  const commands = [
    [],
    ['start'],
    ['run'],
    ['backtest'],
    ['exchange'],
    ['crashtest'],
    ['ledger'],
    ['tape'],
    ['tape', 'import'],
    ['tape', 'export'],
    ['tape', 'cut'],
    ['tape', 'join'],
    ['tape', 'resample'],
    ['tape', 'info'],
    ['tape', 'stats'],
    ['tape', 'synth'],
    ['init'],
    ['new', 'strategy'],
    ['config'],
    ['schema'],
    ['doctor'],
    ['assumptions'],
  ].map((command) => [command.join(' '), command] as const);

  test.each(commands)('tickwright %s: fits the terminal, and its examples are valid command lines', async (_name, command) => {
    for (const columns of [60, 80, 120, 400]) {
      const { status, stdout, stderr } = await run([...command, '--help'], columns);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`Usage: ${['tickwright', ...command].join(' ')}`);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(Math.max(80, Math.min(columns, 120)));
      expect(stdout).toMatch(/^Examples:$/m);
      expect(stdout).not.toContain('\u001b');
    }
    const { stdout } = await run([...command, '--help'], 120);
    if (command.join(' ') !== 'tape') expect(stdout).toMatch(/^Exit codes:\n {2}0 +\S/m);
    const known = new Set(stdout.split(/^Examples:$/m)[0]!.match(/--[a-z-]+/g));
    const examples = stdout.match(/^ {2}tickwright .*(?:\\\n.*)*$/gm) ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example.trim()).toMatch(new RegExp(`^${['tickwright', ...command].join(' ')}`));
      if (command.length > 0 && command.join(' ') !== 'tape')
        for (const [flag] of example.matchAll(/--[a-z-]+/g)) expect(known, example).toContain(flag);
    }
  });

  test('names the choices, the default, and where defaults come from', async () => {
    const { stdout } = await run(['exchange', '--help'], 120);
    expect(stdout).toMatch(
      /--fill-model <name> +when a resting order fills \(touch,\s+through,\s+queue\s+or\s+prob-queue;\s+default:\s+that\s+of\s+the\s+configuration\)/,
    );
    expect(stdout).toMatch(/--port <number> +0 = the system chooses \(default: 8420\)/);
    expect(stdout).toMatch(/--error-status <choice> +HTTP status of a refusal \(400 or 200; default: 400\)/);
    for (const heading of ['Market:', 'Accounts:', 'Where it listens:', 'Faults:', 'Where the interface is silent:'])
      expect(stdout).toMatch(new RegExp(`^${heading}$`, 'm'));
  });

  test('of the ledger has the folder before the option that takes all further words', async () => {
    expect((await run(['ledger', '--help'])).stdout).toContain('Usage: tickwright ledger <folder> [options]\n');
  });

  test('the first page lists every command, examples and exit codes', async () => {
    const { stdout, status } = await run(['--help']);
    expect(status).toBe(0);
    for (const word of ['start', 'run', 'backtest', 'exchange', 'tape', 'config', 'doctor', 'assumptions', 'Examples:', 'Exit codes:'])
      expect(stdout).toContain(word);
  });

  test('of an unknown command is an error', async () => {
    expect(await run(['help', 'backtset'])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: unknown command 'backtset'\n  did you mean "backtest"?\n  code: command-line\n`,
    });
    expect((await run(['help', 'exchange'])).stdout).toBe((await run(['exchange', '--help'])).stdout);
  });
});
