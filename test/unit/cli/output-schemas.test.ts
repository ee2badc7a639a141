/** Every command with `--json` has a schema of what it prints, and what the commands that need no bot print is as their schemas say. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputSchema, storedSchemas } from '../../../src/cli/outputs/output-schema.ts';
import { COMMANDS } from '../../../src/cli/table/command-rows.ts';
import { misfits } from '../../support/output-fits.ts';
import { RESEARCH_LINES, type Printed } from '../../support/processes/json-runs.ts';

test('every command with --json has a schema, and no other', () => {
  const withJson = COMMANDS.filter(({ options = [] }) => options.some((group) => group.options.some(({ flags }) => flags === '--json')));
  expect(Object.keys(storedSchemas().commands).toSorted()).toEqual(withJson.map(({ name }) => name).toSorted());
});

test('a schema has the types that it uses, and no others', () => {
  const text = JSON.stringify(outputSchema('keys list'));
  expect(text).not.toContain('$defs');
  const { $defs = {} } = outputSchema('positions') as { $defs?: object };
  expect(Object.keys($defs)).toEqual(['ExitAnswer', 'PositionAnswer', 'RefusalAnswer', 'SilentAnswer']);
});

test('an unknown command is an error that names a similar one', () => {
  expect(() => outputSchema('statis')).toThrow('found "statis"');
});

describe('commands that need no bot', () => {
  let folder = '';
  let printed: readonly Printed[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-json-'));
    const module = join(import.meta.dirname, '../../support/processes/print-json.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [module, folder, 'research'], { maxBuffer: 1 << 28 });
    printed = JSON.parse(stdout) as Printed[];
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.for(RESEARCH_LINES)('%s', (line) => {
    const own = printed.filter((one) => one.line === line);
    expect(own).not.toEqual([]);
    for (const { command, value } of own) {
      expect(misfits(command, value)).toEqual([]);
      expect(misfits(command, 7)).not.toEqual([]);
      expect(misfits(command, { ...(value as object), more: 1 })).not.toEqual([]);
    }
  });
});
