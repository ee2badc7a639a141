/** `run`: the bot on the venue that the configuration names. */
import type { Command } from 'commander';
import { Failure } from '../base/failure.ts';
import { isLoopback } from '../config/base-url.ts';
import type { BotConfig } from '../config/model.ts';
import { configOf, requireFlag, strategiesOf, withParams, type ChoiceFlags, type CliContext, type ConfigFlags } from './context.ts';
import { isPatchedNode } from './node-version.ts';
import { each, pair } from './values.ts';

interface RunFlags extends ChoiceFlags, ConfigFlags {
  readonly live?: true;
}

const EXAMPLES = `
Examples:
  tickwright run --config config/paper.yaml
  tickwright run --config config/paper.yaml --set venue.baseUrl=http://127.0.0.1:9000 --strategy my.ts --param fast=10
  tickwright run --config live.yaml --live

Credentials come from TICKWRIGHT_KEY, TICKWRIGHT_SECRET and TICKWRIGHT_PASSPHRASE or from a file of mode 0600 named in the
configuration, never from the command line. Ctrl-C stops cleanly; started again, the bot carries on from its state.`;

export function addRun(program: Command, context: CliContext): void {
  program
    .command('run')
    .summary('run the bot on a venue')
    .description('Run the bot on the venue that the configuration names, until it is stopped.')
    .option('-c, --config <file>', 'the configuration file (needed)')
    .option('--set <key=value>', 'one key of the configuration; repeatable', each)
    .option('-s, --strategy <file>', 'a strategy file instead of those of the configuration; repeatable', each)
    .option('-p, --param <name=value>', 'a parameter of the strategy; repeatable', pair)
    .option('--symbol <symbol>', 'a symbol to trade; repeatable', each)
    .option('--live', 'yes, trade on an address that is not this machine')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: RunFlags) => {
      requireFlag(flags.config, '--config FILE');
      const loaded = await configOf(flags, context);
      checkVenue(loaded, flags, context);
      const config: BotConfig = { ...loaded, strategies: strategiesOf(flags, loaded) };
      const { runBot } = await import('../run/live.ts');
      context.exit(await withParams(flags, () => runBot(config, context.io)));
    });
}

function checkVenue(config: BotConfig, flags: RunFlags, context: CliContext): void {
  const { baseUrl } = config.venue;
  if (baseUrl === '') {
    throw new Failure('configuration', {
      what: 'venue.baseUrl: expected the address of the venue, found none',
      where: flags.config,
      hint: 'for example baseUrl: http://127.0.0.1:8420, or --set venue.baseUrl=…',
    });
  }
  if (config.credentials === null) {
    throw new Failure('configuration', {
      what: 'expected credentials, found none',
      where: flags.config,
      hint: 'set TICKWRIGHT_KEY, TICKWRIGHT_SECRET and TICKWRIGHT_PASSPHRASE, or name a file of mode 0600 in venue.credentials',
    });
  }
  if (context.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new Failure('configuration', {
      what: 'NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate, and with it any venue',
      where: 'environment',
      hint: 'unset it',
    });
  }
  if (isLoopback(new URL(baseUrl).hostname)) return;
  if (!flags.live) {
    throw new Failure('usage', {
      what: `${baseUrl} is not this machine: trading there takes a second word`,
      where: 'run',
      hint: 'add --live',
    });
  }
  if (!isPatchedNode(process.versions.node)) {
    context.io.stderr.write(
      `warning: Node.js ${process.versions.node} lacks security fixes for TLS and DNS; use 24.22.1 or newer, or 26.12.1 or newer, to trade live\n`,
    );
  }
}
