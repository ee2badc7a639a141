/** `open` says that a page was opened only if a browser was started; else it names the file. Programs of the name xdg-open stand in for the system's. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showPage } from '../../../src/cli/bot/show-page.ts';
import type { CliContext } from '../../../src/cli/shell/cli-context.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'page-'));
  vi.stubEnv('PATH', [folder, '/usr/bin', '/bin'].join(delimiter));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const PAGE = { url: 'http://127.0.0.1:1', file: '/state/open.html' };

/** What is said where xdg-open is this script. */
async function said(script: string): Promise<string> {
  const program = join(folder, 'xdg-open');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o700);
  const stderr = new PassThrough();
  await showPage(PAGE, false, { io: { stdout: new PassThrough(), stderr } } as unknown as CliContext, 500);
  return String(stderr.read());
}

it.skipIf(process.platform !== 'linux')('says "opened" only if xdg-open ended well, or is a browser that goes on', async () => {
  expect(await said('test "$1" = /state/open.html')).toBe('opened http://127.0.0.1:1\n');
  expect(await said('exec sleep 3')).toBe('opened http://127.0.0.1:1\n');
  const named = 'no browser could be started here: open this file in one within 30 seconds:\n  /state/open.html\n';
  expect(await said('exit 3')).toBe(named);
  expect(await said('kill -9 $$')).toBe(named);
  rmSync(join(folder, 'xdg-open'));
  vi.stubEnv('PATH', folder);
  const stderr = new PassThrough();
  await showPage(PAGE, false, { io: { stdout: new PassThrough(), stderr } } as unknown as CliContext, 500);
  expect(String(stderr.read())).toBe(named);
});
