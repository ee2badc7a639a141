/** Commands that change nothing: `config` shows the configuration, `doctor` checks the setup, `assumptions` lists what we assume. */
import type { Command } from 'commander';
import { shownJson } from '../../base/hidden.ts';
import type { CliContext, ConfigFlags } from '../shell/context.ts';
import { ANY_KEY, CREDENTIALS, EXITS, helpText, type HelpParts } from '../shell/help.ts';
import { safeText, table, widthOf } from '../terminal/terminal.ts';
import { each } from '../shell/values.ts';

interface ConfigCommandFlags extends ConfigFlags {
  readonly json?: true;
  readonly keys?: true;
}

const CONFIG_PARTS: HelpParts = {
  examples: [
    ['tickwright config', 'every key with its default'],
    ['tickwright config --config config/paper.yaml', 'the effective values, and where each came from'],
    ['tickwright config --keys', 'what each key means and the variable that sets it'],
  ],
  notes: ['A later source wins: default, file, TICKWRIGHT_ variable, --set.'],
  variables: [CREDENTIALS, ANY_KEY],
  exits: [EXITS.done, EXITS.usage, ['78', 'the file is wrong: the error names line and column']],
};

const SCHEMA_PARTS: HelpParts = {
  examples: [['tickwright schema > config.schema.json', 'the same as docs/reference/config.schema.json']],
  notes: [
    'An editor uses it when the first line of a configuration file is: # yaml-language-server: $schema=PATH, a path relative to that file or a URL.',
  ],
  exits: [EXITS.done, EXITS.usage],
};

const DOCTOR_PARTS: HelpParts = {
  examples: [['tickwright doctor'], ['tickwright doctor --config live.yaml', 'asks the venue that the file names, too']],
  variables: [CREDENTIALS, ANY_KEY],
  exits: [['0', 'nothing is wrong; there may be warnings'], ['1', 'something is wrong'], EXITS.usage],
};

const REGISTER_PARTS: HelpParts = {
  examples: [['tickwright assumptions'], ['tickwright assumptions --json', 'for other programs']],
  notes: ['docs/reference/assumptions.md has the same list. Assumptions with a switch can be changed on `tickwright exchange`.'],
  exits: [EXITS.done, EXITS.usage],
};

export function addConfig(program: Command, context: CliContext): void {
  const config = program
    .command('config')
    .summary('show the effective configuration')
    .description('Check a configuration and show every key, its value and where the value came from. Secrets are never shown.')
    .option('-c, --config <file>', 'the configuration file')
    .option('--set <key=value>', 'one key of the configuration; repeatable', each)
    .option('--keys', 'say what each key means')
    .option('--json', 'print one JSON object');
  config.addHelpText('after', helpText(CONFIG_PARTS)).action((flags: ConfigCommandFlags) => showConfig(flags, context));
}

export function addSchema(program: Command, context: CliContext): void {
  program
    .command('schema')
    .summary('print the JSON Schema of a configuration file')
    .description('Print the JSON Schema (draft 7) of a configuration file, for editors.')
    .addHelpText('after', helpText(SCHEMA_PARTS))
    .action(async () => {
      const { configurationSchema } = await import('../../config/json-schema.ts');
      context.io.stdout.write(`${JSON.stringify(configurationSchema(), null, 2)}\n`);
    });
}

async function showConfig(flags: ConfigCommandFlags, { io, env }: CliContext): Promise<void> {
  const [{ loadConfig }, { effectiveKeys }] = await Promise.all([import('../../config/load.ts'), import('../../config/show.ts')]);
  const loaded = loadConfig({ file: flags.config ?? null, env, set: flags.set ?? [] });
  const keys = effectiveKeys(loaded);
  const credentials = loaded.config.credentials === null ? 'none' : 'given';
  if (flags.json) {
    const entries = keys.map(({ key, value, source, doc }) => [key, { value, source, doc }]);
    io.stdout.write(`${shownJson({ file: flags.config ?? null, credentials, keys: Object.fromEntries(entries) })}\n`);
    return;
  }
  const show = (value: unknown): string => safeText(typeof value === 'string' ? value || '""' : JSON.stringify(value));
  const width = widthOf(io.stdout);
  io.stdout.write(
    flags.keys
      ? table(
          [{ title: 'key' }, { title: 'meaning', flows: true }, { title: 'variable', flows: true }],
          keys.map((k) => [k.key, k.doc, k.variable]),
          width,
        )
      : table(
          [{ title: 'key' }, { title: 'value', flows: true }, { title: 'from', flows: true }],
          keys.map((k) => [k.key, show(k.value), k.source]),
          width,
        ),
  );
  if (!flags.keys) io.stdout.write(`\ncredentials: ${credentials}\n`);
}

export function addDoctor(program: Command, context: CliContext): void {
  const doctor = program
    .command('doctor')
    .summary('check this machine, the configuration and the venue')
    .description('Check Node.js, the configuration, the strategies, the store, and the venue with its clock.')
    .option('-c, --config <file>', 'the configuration file')
    .option('--set <key=value>', 'one key of the configuration; repeatable', each)
    .option('--json', 'print one JSON object');
  doctor.addHelpText('after', helpText(DOCTOR_PARTS)).action(async (flags: ConfigFlags & { readonly json?: true }) => {
    const { examine, showFindings } = await import('../bot/doctor.ts');
    const findings = await examine(flags, context);
    const isWell = findings.every((f) => f.status !== 'bad');
    if (flags.json) context.io.stdout.write(`${shownJson({ ok: isWell, findings })}\n`);
    else showFindings(findings, context.io);
    context.exit(isWell ? 0 : 1);
  });
}

export function addRegister(program: Command, context: CliContext): void {
  const register = program
    .command('assumptions')
    .summary('what the interface leaves open, and what we assume')
    .description('Print the list of assumptions: where the interface is silent, what this program does, and in which file.')
    .option('--json', 'print one JSON object');
  register.addHelpText('after', helpText(REGISTER_PARTS)).action(async (flags: { readonly json?: true }) => {
    const [{ ASSUMPTIONS }, { switchesOf }] = await Promise.all([
      import('../../contract/assumptions.ts'),
      import('../../contract/switches.ts'),
    ]);
    const assumptions = ASSUMPTIONS.map(({ keys: _keys, ...one }, k) => ({ ...one, switches: switchesOf(ASSUMPTIONS[k]!) }));
    if (flags.json) {
      context.io.stdout.write(`${shownJson({ assumptions })}\n`);
      return;
    }
    for (const { id, area, says, we, where, switches } of assumptions) {
      context.io.stdout.write(`${id}  ${area}: ${says}\n     we: ${we}\n     in: ${where}\n`);
      if (switches.length > 0) context.io.stdout.write(`     to change: ${switches.join(', ')}\n`);
    }
  });
}
