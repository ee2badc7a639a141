/**
 * The table of all commands. Commander, every help text and docs/reference/commands.md are made of it. A row names its arguments, options
 * and exit codes, and loads what runs it only when it runs.
 */
import type { CommandRow } from '../shell/command-row.ts';
import { withQuiet } from '../shell/quiet.ts';
import { ALERT_COMMANDS } from './alert-rows.ts';
import { ASSISTANT_COMMANDS } from './assistant-rows.ts';
import { BACKUP_COMMANDS } from './backup-rows.ts';
import { BACKTEST_COMMANDS } from './backtest-rows.ts';
import { FETCH_COMMAND } from './fetch-row.ts';
import { KEYS_COMMANDS } from './keys-rows.ts';
import { MONITOR_COMMANDS } from './monitor-rows.ts';
import { OPERATOR_COMMANDS } from './operator-rows.ts';
import { SEARCH_COMMANDS } from './search-rows.ts';
import { SESSION_COMMANDS } from './sessions-rows.ts';
import { SETUP_COMMANDS } from './setup-rows.ts';
import { TAPE_COMMANDS } from './tapes-rows.ts';
import { TRADING_COMMANDS } from './trading-rows.ts';

/** It completes all others, so it stands beside their table. */
const COMPLETION: CommandRow = {
  name: 'completion',
  summary: 'make a shell complete the command line',
  description: 'Print the script that makes a shell complete commands, flags, their words and paths.',
  args: [{ name: '<shell>', description: 'the shell', choices: ['bash', 'zsh', 'fish'] }],
  examples: [
    ['source <(tickwright completion bash)', 'in ~/.bashrc'],
    ['source <(tickwright completion zsh)', 'in ~/.zshrc, after compinit'],
    ['tickwright completion fish | source', 'in the configuration of fish'],
  ],
  exits: { done: '', usage: '' },
  run: async () => (await import('../completion/completion-command.ts')).completionOf(COMMANDS),
};

const FAMILIES: Readonly<Record<string, readonly CommandRow[]>> = {
  'Trade:': TRADING_COMMANDS,
  'Try a strategy on a tape:': BACKTEST_COMMANDS,
  'Search parameters:': SEARCH_COMMANDS,
  'Look at sessions and results:': SESSION_COMMANDS,
  'Record and import markets:': [...TAPE_COMMANDS, FETCH_COMMAND],
  'Set up and look up:': [...SETUP_COMMANDS, COMPLETION],
  'Alerts:': ALERT_COMMANDS,
  'Look at a running bot:': MONITOR_COMMANDS,
  'Operate a running bot:': OPERATOR_COMMANDS,
  'Let an assistant help:': ASSISTANT_COMMANDS,
  'Keep a bot safe:': [...BACKUP_COMMANDS, ...KEYS_COMMANDS],
};

/** Commands by their heading in the help, in its order. Each has `--quiet`. */
export const COMMAND_FAMILIES: Readonly<Record<string, readonly CommandRow[]>> = Object.fromEntries(
  Object.entries(FAMILIES).map(([heading, rows]) => [heading, rows.map(withQuiet)]),
);

export const COMMANDS: readonly CommandRow[] = Object.values(COMMAND_FAMILIES).flat();
