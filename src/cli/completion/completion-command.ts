/** `tickwright completion SHELL`: prints the script that makes a shell complete the command line. */
import type { CliContext } from '../shell/cli-context.ts';
import type { CommandRow } from '../shell/command-row.ts';
import { bashScript } from './bash.ts';
import { completedCommands, type CompletedCommand } from './completed-command.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Runs the command for this table of commands. `shell` is one of the choices that its row names. */
export function completionOf(commands: readonly CommandRow[]) {
  return (_flags: object, { io }: CliContext, shell: string): void => {
    io.stdout.write(SCRIPTS[shell]!(completedCommands(commands)));
  };
}
