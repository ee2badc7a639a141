/** The process in which an assistant tries strategies: what it can reach, run with its real flags. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { confinedFlags, tryConfined } from '../../../../src/run/assistant/confined-process.ts';
import type { TrialJob } from '../../../../src/run/assistant/trial-job.ts';

const LOOPS = `import { defineStrategy } from 'tickwright';
for (;;);
export default defineStrategy({ name: 'loops', doc: 'Never ends.', create: () => ({}) });
`;

let folder = '';
let job: TrialJob;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tickwright-confined-')));
  for (const name of ['tape', 'strategies', 'temporary', 'strategies/var']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'strategies/mine.ts'), LOOPS);
  for (const name of ['bot.yaml', 'strategies/bot.yaml', 'strategies/keys.json', 'strategies/var/passphrase.json'])
    writeFileSync(join(folder, name), 'secret: CANARY');
  const choice = { file: join(folder, 'strategies/mine.ts'), params: {}, symbols: [] };
  job = { name: 'crashtest', config: defaultConfig(), choice, space: {}, input: '', from: undefined, to: undefined, count: 1, by: '' };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a line of code gives or fails with in a process with the flags of a trial. */
function reached(code: string): string {
  const flags = confinedFlags({ ...job, input: join(folder, 'tape') }, join(folder, 'temporary'));
  const body = `try { console.log(String(${code})) } catch (error) { console.log(error.code) }`;
  const cwd = join(folder, 'temporary');
  return execFileSync(process.execPath, [...flags, '-e', body], {
    cwd,
    env: {},
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

const read = (path: string): string => reached(`require('fs').readFileSync(${JSON.stringify(join(folder, path))}, 'utf8').length`);

describe('the confined process', () => {
  it('reads the sources of the strategy and nothing else beside them', () => {
    expect(read('strategies/mine.ts')).toBe(String(LOOPS.length));
    for (const path of ['bot.yaml', 'strategies/bot.yaml', 'strategies/keys.json', 'strategies/var/passphrase.json'])
      expect([path, read(path)]).toEqual([path, 'ERR_ACCESS_DENIED']);
    expect(reached(`require('fs').readFileSync('/proc/self/environ')`)).toBe('ERR_ACCESS_DENIED');
  });

  it('writes in its temporary folder alone, and starts no process and no thread', () => {
    expect(reached(`require('fs').writeFileSync(${JSON.stringify(join(folder, 'temporary/x'))}, 'x')`)).toBe('undefined');
    expect(reached(`require('fs').writeFileSync(${JSON.stringify(join(folder, 'tape/x'))}, 'x')`)).toBe('ERR_ACCESS_DENIED');
    expect(reached(`require('child_process').execFileSync(process.execPath, ['--version'])`)).toBe('ERR_ACCESS_DENIED');
    expect(reached(`new (require('worker_threads').Worker)('', { eval: true })`)).toBe('ERR_ACCESS_DENIED');
  });

  it('ends a strategy that does not return, and takes one trial at a time', async () => {
    const first = tryConfined(job, new AbortController().signal, 1_500);
    await expect(tryConfined(job, new AbortController().signal)).rejects.toThrow(/another trial runs/);
    await expect(first).rejects.toThrow(/took longer than its limit/);
  });
});
