/** `--quiet`: the option that every command has, and what it leaves out. */
import type { Io } from '../../run/setup/options.ts';
import type { CommandRow, OptionRow } from './command-row.ts';

const QUIET: OptionRow = {
  flags: '--quiet',
  description: 'no progress, notes, warnings and status line on stderr: results, the log and errors alone',
};

/** The row with the option, in its group of options without a title of their own. */
export function withQuiet(row: CommandRow): CommandRow {
  if (row.run === undefined) return row;
  const groups = row.options ?? [];
  const at = groups.findIndex(({ title }) => title === 'Options:');
  if (at < 0) return { ...row, options: [...groups, { title: 'Options:', options: [QUIET] }] };
  return { ...row, options: groups.map((group, k) => (k === at ? { ...group, options: [...group.options, QUIET] } : group)) };
}

/** The streams of a quiet command. Questions go to the terminal by themselves, and errors that end a command are printed elsewhere. */
export function quietIo({ stdout, stderr, isTty, live }: Io): Io {
  return {
    stdout,
    stderr: {
      write: (text) => (text.startsWith('error: ') ? stderr.write(text) : true),
      get columns() {
        return stderr.columns;
      },
    },
    asks: stderr,
    isTty,
    // Lines of the log go on.
    live: { update: () => undefined, write: (lines) => live.write(lines), end: () => live.end() },
  };
}
