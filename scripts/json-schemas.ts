/**
 * Writes src/cli/outputs/outputs.json: the schema of what each operator command prints with `--json`, from what a real bot answers and from the
 * types of the answers. `npm run schemas`, after a change of an answer; what changed in the file is what changed for programs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_COMMANDS } from '../src/control/commands.ts';
import { cleanUp, ROOT } from '../test/e2e/process.ts';
import { Stage } from '../test/e2e/stage.ts';
import { declaredIn, printedBy, schemaOfAll } from '../test/support/processes/json-runs.ts';

try {
  const stage = new Stage({ params: { grid: true, stop: 0.02, target: 0.05 } });
  await stage.startBot();
  await stage.untilHeld(1);
  const printed = await printedBy(stage.folder);
  await stage.end();
  const declared = declaredIn(readFileSync(join(ROOT, 'src/control/answers.ts'), 'utf8'));
  const acting = new Set<string>(CONTROL_COMMANDS.filter(({ acts }) => acts).map(({ name }) => name));
  // All commands that act answer alike, or refuse alike.
  const answers = printed.filter(({ command }) => acting.has(command)).map(({ value }) => value as { readonly ok: boolean });
  const act = {
    anyOf: [true, false].map((ok) =>
      schemaOfAll(
        answers.filter((one) => one.ok === ok),
        declared,
      ),
    ),
  };
  const commands = [...new Set(printed.map(({ command }) => command))].sort();
  const schemas = commands.map((command) => {
    const values = printed.filter((one) => one.command === command).map(({ value }) => value);
    return [command, acting.has(command) ? act : schemaOfAll(values, declared)] as const;
  });
  writeFileSync(join(ROOT, 'src/cli/outputs/outputs.json'), `${JSON.stringify(Object.fromEntries(schemas), null, 1)}\n`);
} finally {
  await cleanUp();
}
