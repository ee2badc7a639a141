/** The names of strategies in a configuration, under which their state is kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { strategySetups } from '../../../src/run/setup/bot-parts.ts';
import { strategyFile } from '../../support/backtest/reference-backtest.ts';

let folder = '';
let file = '';
let own = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-names-'));
  file = strategyFile(folder, 'return {};');
  own = (await named({}))[0]!;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function named(...choices: readonly { readonly name?: string }[]): Promise<(string | undefined)[]> {
  const setups = await strategySetups(
    choices.map((choice) => ({ ...choice, file, params: {}, symbols: [] })),
    [],
  );
  return setups.map(({ name }) => name);
}

it('a stated name is taken as it is, and leaves the numbers of the others alone', async () => {
  expect(await named({}, {}, {})).toEqual([own, `${own}-2`, `${own}-3`]);
  expect(await named({ name: 'first' }, {}, { name: 'slow' }, {})).toEqual(['first', own, 'slow', `${own}-2`]);
});

it('a stated name that another strategy has from its file is refused with both files', async () => {
  const twice = named({}, { name: own });
  await expect(twice).rejects.toMatchObject({ problems: [{ where: file }] });
  await expect(twice).rejects.toThrow(`two called "${own}"`);
});
