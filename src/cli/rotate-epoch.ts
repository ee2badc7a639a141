/** `rotate-epoch`: a person says that the journal was lost or put back, and that the bot may go on under new order ids. */
import type { Command } from 'commander';
import { configOf, requireFlag, type CliContext, type ConfigFlags } from './context.ts';
import { ANY_KEY, EXITS, helpText, type HelpParts } from './help.ts';
import { each } from './values.ts';

const PARTS: HelpParts = {
  examples: [['tickwright rotate-epoch --config config/paper.yaml', 'after a halt with journal-rollback or split-brain']],
  notes: [
    'Stop the bot first. When two bots traded on one account, make sure that only one starts again.',
    'Orders of the lost journal that still rest are handled as recovery.unknownOwnOrders says when the bot starts.',
  ],
  variables: [ANY_KEY],
  files: [['store.folder', 'the journal that is changed; Redis instead where store.kind says so']],
  exits: [EXITS.done, EXITS.failed, EXITS.usage, EXITS.occupied, EXITS.configuration],
};

export function addRotateEpoch(program: Command, context: CliContext): void {
  program
    .command('rotate-epoch')
    .summary('go on after a lost or restored journal')
    .description('Begin a new epoch of client order ids on the store of a stopped bot, and lift the halts that wait for it.')
    .option('-c, --config <file>', 'the configuration file of the bot (needed)')
    .option('--set <key=value>', 'one key of the configuration; repeatable', each)
    .addHelpText('after', helpText(PARTS))
    .action(async (flags: ConfigFlags) => {
      requireFlag(flags.config, '--config FILE');
      const config = await configOf(flags, context);
      const { rotateEpoch } = await import('../run/bot/rotate-epoch.ts');
      const { epoch, before, nextSeq, lifted } = await rotateEpoch(config, QUIET);
      const halts = lifted.length === 0 ? 'no halt waited for this' : `lifted: ${lifted.join(', ')}`;
      context.io.stdout.write(`epoch ${before.toString(36)} → ${epoch.toString(36)}, from order ${nextSeq} on; ${halts}\n`);
    });
}

const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
