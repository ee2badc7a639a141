/** `run`: runs the bot on the venue that the configuration names. */
import type { Command } from 'commander';
import { exitCode } from '../../base/exit-codes.ts';
import type { BotConfig } from '../../config/model.ts';
import {
  configOf,
  folderToBe,
  requireFlag,
  strategiesOf,
  withParams,
  type ChoiceFlags,
  type CliContext,
  type ConfigFlags,
} from '../shell/context.ts';
import { ANY_KEY, CREDENTIALS, EXITS, helpText, optionFrom, withOtherHelp, type HelpParts } from '../shell/help.ts';
import { refusalsOf, warningsOf } from './start-checks.ts';
import { each, pair } from '../shell/values.ts';

interface RunFlags extends ChoiceFlags, ConfigFlags {
  readonly live?: true;
  readonly check?: true;
  readonly record?: string;
}

const PARTS: HelpParts = {
  examples: [
    ['tickwright run --config config/paper.yaml'],
    ['tickwright run --config config/paper.yaml --strategy my.ts --param fast=10', 'another strategy than the file names'],
    ['tickwright run --config live.yaml --live', 'a remote venue'],
    ['tickwright run --config live.yaml --live --check', 'only whether it would start: code 0 or 78'],
  ],
  notes: ['Ctrl-C stops the bot cleanly. Started again it continues from its state, also after a kill.'],
  variables: [CREDENTIALS, ANY_KEY],
  files: [
    ['store.folder', "the bot's journal and state, by default var/bot; with store.kind redis they are in Redis"],
    ['venue.credentials', 'a file of mode 0600 with the credentials, used if the variables are not set'],
  ],
  exits: [EXITS.done, EXITS.failed, EXITS.usage, EXITS.ordersLeft, EXITS.hung, EXITS.memory, EXITS.occupied, EXITS.configuration],
};

export function addRun(program: Command, context: CliContext): void {
  const run = program
    .command('run')
    .summary('run the bot on a venue')
    .description('Run the bot on the venue that the configuration names, until it is stopped.')
    .optionsGroup('Where:')
    .option('-c, --config <file>', 'the configuration file, which names the venue (needed)')
    .option('--set <key=value>', 'one key of the configuration; repeatable', each)
    .option('--live', 'allow trading on a remote venue')
    .option('--check', 'make all checks of a start, and end')
    .option('--record <folder>', 'record what the polls show as a tape; an earlier recording goes on')
    .optionsGroup('What:')
    .addOption(optionFrom('-s, --strategy <file>', 'a strategy file; repeatable', 'those of the configuration', each))
    .option('-p, --param <name=value>', 'a parameter of the strategy; repeatable', pair)
    .addOption(optionFrom('--symbol <symbol>', 'a symbol to trade; repeatable', 'those of the configuration', each));
  withOtherHelp(run)
    .addHelpText('after', helpText(PARTS))
    .action(async (flags: RunFlags) => {
      requireFlag(flags.config, '--config FILE');
      const loaded = await configOf(flags, context);
      if (flags.check !== true) {
        for (const refusal of refusalsOf(loaded, flags, context.env)) throw refusal;
        for (const text of warningsOf(loaded, flags)) context.io.stderr.write(`warning: ${text}\n`);
      }
      const tape = flags.record === undefined ? loaded.record.tape : folderToBe(flags.record, '--record');
      const config: BotConfig = { ...loaded, strategies: strategiesOf(flags, loaded), record: { ...loaded.record, tape } };
      if (flags.check === true) {
        const { examineStart, showFindings } = await import('./doctor.ts');
        const findings = await examineStart(config, flags, context);
        return context.exit(showFindings(findings, context.io) ? exitCode.done : exitCode.configuration);
      }
      const { runBot } = await import('../../run/bot/supervise.ts');
      context.exit(await withParams(flags, () => runBot(config, context.io)));
    });
}
