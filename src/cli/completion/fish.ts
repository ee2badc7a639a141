/** The completion script of fish: a line for each command and each flag. */
import { type CompletedCommand, type CompletedFlag, wordsBelow } from './completed-command.ts';

/** True if the command line begins with these words; a word is also the name of another command below, so its place counts. */
const IN = `function __tickwright_in
  set -l typed (commandline -opc)
  set -e typed[1]
  string match -q -- "$argv *" "$typed "
end`;

export function fishScript(commands: readonly CompletedCommand[]): string {
  const { tops, below } = wordsBelow(commands);
  const lines = tops.map(({ name, summary }) => line('__fish_use_subcommand', `-a ${name}`, summary));
  for (const command of commands) {
    const children = below.get(command.name) ?? [];
    const condition = [`__tickwright_in ${command.name}`, ...children.map(({ name }) => `not __tickwright_in ${name}`)].join('; and ');
    for (const { word, summary } of children) lines.push(line(condition, `-a ${word}`, summary));
    lines.push(...linesOf(command, condition));
  }
  return `# Completion of tickwright for fish.\n${IN}\ncomplete -c tickwright -f\n${lines.join('\n')}\n`;
}

function linesOf({ flags, argument }: CompletedCommand, condition: string): string[] {
  const lines = flags.map((flag) => flagLine(condition, flag));
  if (argument.kind === 'words') lines.push(line(condition, `-a ${quoted(argument.words.join(' '))}`, ''));
  if (argument.kind === 'file' || argument.kind === 'folder') lines.push(line(condition, '-F', ''));
  return lines;
}

function flagLine(condition: string, { words, description, value }: CompletedFlag): string {
  const names = words.map((word) => (word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`)).join(' ');
  const after =
    value.kind === 'words'
      ? ` -x -a ${quoted(value.words.join(' '))}`
      : { none: '', text: ' -x', file: ' -r -F', folder: ` -x -a ${quoted('(__fish_complete_directories)')}` }[value.kind];
  return line(condition, `${names}${after}`, description);
}

function line(condition: string, what: string, description: string): string {
  return `complete -c tickwright -n ${quoted(condition)} ${what}${description === '' ? '' : ` -d ${quoted(description)}`}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
