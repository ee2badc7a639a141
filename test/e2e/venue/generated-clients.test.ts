/**
 * Clients that two generators make from the OpenAPI document of a running exchange: they compile, and their calls are answered. The
 * generators are not packages of the project: CLIENT_GENERATORS names a folder in which `npm ci` has installed .ci/clients. Without it the
 * tests are skipped; in CI that is an error.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { openExchange, untilMarketOpens, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import { exchangeOptions } from '../../support/exchange/served-kit.ts';
import { ROOT } from '../process.ts';

const FOLDER = process.env['CLIENT_GENERATORS'] ?? '';
if (FOLDER === '') {
  const message = `clients from docs/reference/openapi.json need CLIENT_GENERATORS, a folder with .ci/clients after npm ci, as .ci/run makes it`;
  if (process.env['CI']) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
}

describe.skipIf(FOLDER === '')('clients from docs/reference/openapi.json', () => {
  let exchange: RunningExchange;
  let work = '';
  const run = async (file: string, ...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(work, file), ...args], { cwd: work }).catch((error: unknown) => {
      const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${file} ${args.join(' ')}: ${out}${stderr}`, { cause: error });
    });
    return stdout;
  };

  beforeAll(async () => {
    exchange = await openExchange(exchangeOptions({}), createLog({ level: 'silent', form: 'json' }));
    await untilMarketOpens(exchange);
    work = mkdtempSync(join(tmpdir(), 'tickwright-clients-'));
    cpSync(join(ROOT, '.ci/clients'), work, { recursive: true, filter: (from) => !from.includes('node_modules') });
    symlinkSync(join(FOLDER, 'node_modules'), join(work, 'node_modules'));
    writeFileSync(join(work, 'openapi.json'), await (await fetch(`${exchange.url}/openapi.json`)).text());
    await run('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'generated/openapi-typescript.ts');
    await run('node_modules/@hey-api/openapi-ts/bin/run.js', '--no-log-file');
    await run('node_modules/typescript/bin/tsc', '-p', '.', '--typeRoots', join(ROOT, 'node_modules/@types'));
  });
  afterAll(async () => {
    await exchange?.close();
    if (work !== '') rmSync(work, { recursive: true, force: true });
  });

  it('the document that a user downloads differs in its server alone', async () => {
    const served = JSON.parse(readFileSync(join(work, 'openapi.json'), 'utf8')) as object;
    const kept = JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8')) as object;
    expect({ ...served, servers: null }).toEqual({ ...kept, servers: null });
    expect(kept).toMatchObject({ servers: [{ url: 'http://127.0.0.1:8420' }] });
  });

  it.each(['openapi-fetch', 'hey-api'])('%s: a public read, a signed order, a refused order, a failed entry of a batch', async (name) => {
    const answers = JSON.parse(await run(`out/${name}.js`, exchange.url)) as Record<string, unknown>;
    expect(answers).toEqual({
      bid: expect.stringMatching(/^\d+\.\d\d$/),
      placed: name,
      pending: expect.arrayContaining([`${name} 30000.00 NEW`]),
      refused: [400, '40016', 'Open Size decimal precision is too high'],
      failed: ['sp-0', '40001', expect.stringMatching(/./)],
    });
  });
});
