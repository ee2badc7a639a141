/**
 * Writes src/cli/outputs/outputs.json: the schema of what each operator command prints with `--json`, from what a real bot answers and from the
 * types of the answers. `npm run schemas`, after a change of an answer; what changed in the file is what changed for programs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROL_COMMANDS } from '../src/control/commands.ts';
import { cleanUp, ROOT } from '../test/e2e/process.ts';
import { Stage } from '../test/e2e/stage.ts';
import { declaredIn, printedBy, schemaOfAll, type Schema } from '../test/support/processes/json-runs.ts';

try {
  const stage = new Stage({ params: { grid: true, stop: 0.02, target: 0.05 } });
  await stage.startBot();
  await stage.untilHeld(1);
  const printed = await printedBy(stage.folder);
  await stage.end();
  const declared = declaredIn(readFileSync(join(ROOT, 'src/control/answers.ts'), 'utf8'));
  const acting = new Set<string>(CONTROL_COMMANDS.filter(({ acts }) => acts).map(({ name }) => name));
  const isRefusal = (value: unknown): boolean => (value as { readonly ok?: unknown }).ok === false;
  const schemaWhere = (isMeant: (one: (typeof printed)[number]) => boolean): Schema =>
    schemaOfAll(
      printed.filter(isMeant).map(({ value }) => value),
      declared,
    );
  // All commands that act answer alike, and every command of a bot may be refused, or find no bot that answers.
  const act = schemaWhere(({ command, value }) => acting.has(command) && !isRefusal(value));
  const refusal = schemaWhere(({ value }) => isRefusal(value));
  const answering = new Set<string>(CONTROL_COMMANDS.filter(({ shown }) => shown !== 'lines').map(({ name }) => name));
  const commands = [...new Set(printed.map(({ command }) => command))].sort();
  const schemas = commands.map((command) => {
    const own = acting.has(command) ? act : schemaWhere((one) => one.command === command && !isRefusal(one.value));
    return [command, answering.has(command) ? { anyOf: [own, refusal] } : own] as const;
  });
  writeFileSync(join(ROOT, 'src/cli/outputs/outputs.json'), `${JSON.stringify(Object.fromEntries(schemas), null, 1)}\n`);
} finally {
  await cleanUp();
}
