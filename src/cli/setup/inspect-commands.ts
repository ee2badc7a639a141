/** Commands that change nothing: `config` shows the configuration, `doctor` checks the setup, `assumptions` lists what we assume. */
import type { CliContext, ConfigFlags } from '../shell/cli-context.ts';
import { table, words } from '../../report/document/text-table.ts';
import { safeText, widthOf } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface ConfigCommandFlags extends ConfigFlags {
  readonly json?: true;
  readonly keys?: true;
}

export async function showSchema(_flags: object, context: CliContext, command: readonly string[]): Promise<void> {
  if (command.length > 0) {
    const { outputSchema } = await import('../outputs/output-schema.ts');
    return void context.io.stdout.write(`${JSON.stringify(outputSchema(command.join(' ')), null, 2)}\n`);
  }
  const { configurationSchema } = await import('../../config/docs/json-schema.ts');
  context.io.stdout.write(`${JSON.stringify(configurationSchema(), null, 2)}\n`);
}

export async function showConfig(flags: ConfigCommandFlags, { io, env }: CliContext): Promise<void> {
  const [{ loadConfig }, { effectiveKeys }] = await Promise.all([import('../../config/load.ts'), import('../../config/docs/show.ts')]);
  const loaded = loadConfig({ file: flags.config ?? null, env, set: flags.set ?? [] });
  const keys = effectiveKeys(loaded);
  const { credentials: given, keystore } = loaded.config;
  const credentials = given !== null ? 'given' : keystore === null ? 'none' : 'in a keystore';
  if (flags.json) {
    const entries = keys.map(({ key, value, source, doc }) => [key, { value, source, doc }] as const);
    printJson(io, 'config', { file: flags.config ?? null, credentials, keys: Object.fromEntries(entries) });
    return;
  }
  const show = (value: unknown): string => safeText(typeof value === 'string' ? value || '""' : JSON.stringify(value));
  const width = widthOf(io.stdout);
  io.stdout.write(
    flags.keys
      ? table(
          [{ title: 'key' }, words('meaning'), words('variable')],
          keys.map((k) => [k.key, k.doc, k.variable]),
          width,
        )
      : table(
          [{ title: 'key' }, words('value'), words('from')],
          keys.map((k) => [k.key, show(k.value), k.source]),
          width,
        ),
  );
  if (!flags.keys) io.stdout.write(`\ncredentials: ${credentials}\n`);
}

export async function runDoctor(flags: ConfigFlags & { readonly json?: true }, context: CliContext): Promise<void> {
  const { examine, showFindings } = await import('../bot/start/doctor-command.ts');
  const findings = await examine(flags, context);
  const isWell = findings.every((f) => f.status !== 'bad');
  if (flags.json) printJson(context.io, 'doctor', { ok: isWell, findings });
  else showFindings(findings, context.io);
  context.exit(isWell ? 0 : 1);
}

export async function showAssumptions(flags: { readonly json?: true }, context: CliContext): Promise<void> {
  const [{ ASSUMPTIONS }, { switchesOf }] = await Promise.all([
    import('../../contract/assumptions.ts'),
    import('../../contract/switches.ts'),
  ]);
  const assumptions = ASSUMPTIONS.map(({ keys: _keys, ...one }, k) => ({ ...one, switches: switchesOf(ASSUMPTIONS[k]!) }));
  if (flags.json) return printJson(context.io, 'assumptions', { assumptions });
  for (const { id, area, says, we, where, switches } of assumptions) {
    context.io.stdout.write(`${id}  ${area}: ${says}\n     we: ${we}\n     in: ${where}\n`);
    if (switches.length > 0) context.io.stdout.write(`     to change: ${switches.join(', ')}\n`);
  }
}
