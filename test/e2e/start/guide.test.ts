/** docs/guide: every page, in order, in a folder that has the packed package and nothing else. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GuideWalk } from '../../support/processes/guide-walk.ts';
import { clean, packedPackages } from '../../support/processes/packed.ts';
import { hasTools } from '../../support/processes/shell-document.ts';
import { ROOT } from '../process.ts';

const PAGES = join(ROOT, 'docs/guide');
const pages = readdirSync(PAGES)
  .filter((name) => /^\d/.test(name))
  .sort();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The archive of the exchange in page 6, in a process of its own: the walk through a page blocks this one. */
async function archiveServer(): Promise<{ readonly address: string; readonly close: () => void }> {
  const days = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-06', '2024-01-07'];
  const server = spawn(process.execPath, [join(ROOT, 'test/support/tape/archive-server.ts'), 'BTCUSDT', ...days]);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { address: line.toString().trim(), close: () => void server.kill() };
}

describe.skipIf(!hasTools('docs/guide', 'bash', 'script', 'stty', 'curl'))('docs/guide', () => {
  let folder = '';
  let env: NodeJS.ProcessEnv = {};
  let walk: GuideWalk;
  let archives: { readonly address: string; readonly close: () => void };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-guide-'));
    const { tickwright: packed } = packedPackages();
    copyFileSync(packed, join(folder, basename(packed)));
    const port = await freePort();
    env = { ...clean(), HOME: folder, PM2_HOME: join(folder, 'pm2'), TICKWRIGHT_STATE_HOME: join(folder, 'locks') };
    env['PATH'] = [dirname(process.execPath), process.env['PATH'], join(ROOT, 'node_modules/.bin')].join(delimiter);
    env['npm_config_cache'] = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();
    for (const key of ['audit', 'fund', 'update_notifier']) env[`npm_config_${key}`] = 'false';
    env['npm_config_prefer_offline'] = 'true';
    env['NO_COLOR'] = '1';
    archives = await archiveServer();
    env['TICKWRIGHT_MIRROR'] = archives.address;
    const local = `http://127.0.0.1:${port}`;
    walk = new GuideWalk(folder, env, (text) => text.replaceAll('8420', String(port)).replaceAll('https://api.example.com', local));
  });
  afterAll(async () => {
    await walk.close();
    archives.close();
    spawnSync('pm2', ['kill'], { env, timeout: 240_000 });
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(pages)('%s does what it says', { timeout: 400_000 }, async (name) => {
    expect(await walk.page(readFileSync(join(PAGES, name), 'utf8'))).toBeGreaterThan(2);
  });
});

it('names only commands and flags that exist', () => {
  const named = pages.flatMap((name) => [...readFileSync(join(PAGES, name), 'utf8').matchAll(/`npx tickwright ([a-z-]+)([^`]*)`/g)]);
  expect(named.length).toBeGreaterThan(3);
  for (const [text, command = '', rest = ''] of named) {
    const help = spawnSync(process.execPath, [join(ROOT, 'src/tickwright.js'), command, '--help'], { encoding: 'utf8' });
    expect(help.status, text).toBe(0);
    for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(help.stdout, text).toContain(`${flag} `);
  }
});
