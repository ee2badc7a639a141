/** What the commands that operate a bot print with `--json` is as `tickwright schema COMMAND` says, on a real bot with a position. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { outputSchema } from '../../../src/cli/outputs/output-schema.ts';
import { OPERATOR_COMMANDS } from '../../../src/cli/table/operator-rows.ts';
import { misfits } from '../../support/output-fits.ts';
import type { Printed } from '../../support/processes/json-runs.ts';
import { cleanUp, ROOT, runToEnd } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

const READ: ReadonlySet<string> = new Set(['status', 'why', 'orders', 'fills', 'pnl', 'limits']);

it('what each prints is as its schema says, and a wrong value is not', async () => {
  const stage = new Stage({ params: { grid: true, stop: 0.02, target: 0.05 } });
  await stage.startBot();
  await stage.untilHeld(1);
  const module = join(ROOT, 'test/support/processes/print-json.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [module, stage.folder], { maxBuffer: 1 << 28 });
  const printed = JSON.parse(stdout) as Printed[];
  for (const { command, line, value } of printed) {
    expect(misfits(command, value), line).toEqual([]);
    // Those that read are answered here.
    if (READ.has(command)) expect(value, line).not.toMatchObject({ ok: false });
    for (const wrong of [7, { ...(value as object), [Object.keys(value as object)[0] ?? 'x']: { other: true } }])
      if (!Array.isArray(value)) expect(misfits(command, wrong), line).not.toEqual([]);
  }
  // All but the endless stream of changes, whose lines other tests read.
  const names = OPERATOR_COMMANDS.map(({ name }) => name).filter((name) => name !== 'events');
  expect(names.filter((name) => !printed.some(({ command }) => command === name))).toEqual([]);
  const shown = await runToEnd(['schema', 'tape', 'info']);
  expect(JSON.parse(shown.out)).toEqual(outputSchema('tape info'));
  const unknown = await runToEnd(['schema', 'statis']);
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringMatching(/found "statis"[\s\S]*status/)]);
  await stage.end();
});
