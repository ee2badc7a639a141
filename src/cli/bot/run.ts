/** `run`: runs the bot on the venue that the configuration names. */
import type { Command } from 'commander';
import { Failure } from '../../base/failure.ts';
import { isLoopback } from '../../config/base-url.ts';
import { LOSS_HINT, lossLimitsOf } from '../../config/loss-limits.ts';
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
import { openInspector } from './inspector.ts';
import { isPatchedNode, PATCHED_NODES } from '../shell/node-version.ts';
import { each, pair } from '../shell/values.ts';

interface RunFlags extends ChoiceFlags, ConfigFlags {
  readonly live?: true;
  readonly record?: string;
}

const PARTS: HelpParts = {
  examples: [
    ['tickwright run --config config/paper.yaml'],
    ['tickwright run --config config/paper.yaml --strategy my.ts --param fast=10', 'another strategy than the file names'],
    ['tickwright run --config live.yaml --live', 'a remote venue'],
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
      checkVenue(loaded, flags, context);
      const tape = flags.record === undefined ? loaded.record.tape : folderToBe(flags.record, '--record');
      const config: BotConfig = { ...loaded, strategies: strategiesOf(flags, loaded), record: { ...loaded.record, tape } };
      const { runBot } = await import('../../run/bot/supervise.ts');
      context.exit(await withParams(flags, () => runBot(config, context.io)));
    });
}

/** @throws Failure (configuration) if the configuration of `file` names no venue */
export function requireVenue({ venue }: BotConfig, file: string | undefined): void {
  if (venue.baseUrl !== '') return;
  throw new Failure('venue-missing', {
    what: 'venue.baseUrl: expected the address of the venue, found none',
    where: file,
    hint: 'for example baseUrl: http://127.0.0.1:8420, or --set venue.baseUrl=…',
  });
}

function checkVenue(config: BotConfig, flags: RunFlags, context: CliContext): void {
  const { baseUrl } = config.venue;
  requireVenue(config, flags.config);
  if (config.credentials === null) {
    throw new Failure('credentials-missing', {
      what: 'expected credentials, found none',
      where: flags.config,
      hint: 'set TICKWRIGHT_KEY, TICKWRIGHT_SECRET and TICKWRIGHT_PASSPHRASE, or name a file of mode 0600 in venue.credentials',
    });
  }
  if (context.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new Failure('tls-unchecked', {
      what: 'NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate, and with it any venue',
      where: 'environment',
      hint: 'unset it',
    });
  }
  const host = openInspector([...process.execArgv, ...(context.env['NODE_OPTIONS'] ?? '').split(/\s+/)]);
  if (host !== null) {
    throw new Failure('inspector-exposed', {
      what: `--inspect on ${host} would let other machines read the credentials and trade`,
      where: 'command line of Node.js, or NODE_OPTIONS',
      hint: 'leave the address out: the inspector then listens on 127.0.0.1',
    });
  }
  if (flags.live === true && lossLimitsOf(config).length === 0) {
    context.io.stderr.write(`warning: no loss limit: nothing stops a bot that loses all day; ${LOSS_HINT}\n`);
  }
  if (isLoopback(new URL(baseUrl).hostname)) return;
  if (!flags.live) {
    throw new Failure('live-unconfirmed', {
      what: `${baseUrl} is a remote venue: trading there needs --live`,
      where: 'run',
      hint: 'add --live',
    });
  }
  if (!isPatchedNode(process.versions.node)) {
    context.io.stderr.write(
      `warning: Node.js ${process.versions.node} lacks security fixes for TLS and DNS; to trade live use ${PATCHED_NODES}\n`,
    );
  }
}
