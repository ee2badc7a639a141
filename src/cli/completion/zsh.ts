/** The completion script of zsh: a function for each command, made of `_arguments`. */
import { type CompletedCommand, type CompletedFlag, type Value, wordsBelow } from './completed-command.ts';

export function zshScript(commands: readonly CompletedCommand[]): string {
  const { tops, below } = wordsBelow(commands);
  return `#compdef tickwright
# Completion of tickwright for zsh.
${commands.map((command) => functionOf(command, below.get(command.name) ?? [])).join('\n')}
_tickwright() {
${choice(tops, '')}
}
if [ "$funcstack[1]" = _tickwright ]; then _tickwright "$@"; else compdef _tickwright tickwright; fi
`;
}

function functionOf(command: CompletedCommand, below: readonly CompletedCommand[]): string {
  const own = argumentsOf(command);
  return `${nameOf(command)}() {\n${below.length === 0 ? own : choice(below, own)}\n}`;
}

/** Completes the first word among those of `commands`, and goes on with the function of the one that stands there; else with `own`. */
function choice(commands: readonly CompletedCommand[], own: string): string {
  const rows = commands.map((one) => `    ${quoted(`${one.word}:${one.summary.replaceAll(':', '\\:')}`)}`);
  const cases = commands.map((one) => `    ${one.word}) shift words; (( CURRENT-- )); ${nameOf(one)}; return ;;`);
  return `  local -a commands=(
${rows.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; else case $words[2] in
${cases.join('\n')}
  esac fi
${own}`;
}

function argumentsOf({ flags, argument }: CompletedCommand): string {
  const rows = [...flags.map(flagRow), ...(argument.kind === 'none' ? [] : [quoted(`*:argument:${action(argument)}`)])];
  return `  _arguments \\\n${rows.map((row) => `    ${row}`).join(' \\\n')}`;
}

function flagRow({ words, description, value, valueName }: CompletedFlag): string {
  const text = `[${description.replace(/[[\]]/gu, '').replaceAll(':', ' -')}]`;
  const after = value.kind === 'none' ? '' : `:${valueName.replaceAll(':', ' ')}:${action(value)}`;
  const [first = '', second] = words;
  if (second === undefined) return quoted(`*${first}${text}${after}`);
  return `${quoted(`(${words.join(' ')})`)}{${words.join(',')}}${quoted(`${text}${after}`)}`;
}

function action(value: Value): string {
  if (value.kind === 'words') return `(${value.words.join(' ')})`;
  return { file: '_files', folder: '_files -/', text: ' ', none: '' }[value.kind];
}

function nameOf({ name }: CompletedCommand): string {
  return `_tickwright_${name.replace(/[ -]/gu, '_')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
