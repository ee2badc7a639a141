/** The completion script of bash: one function with a case for each command, and one for each flag that takes a value. */
import { type CompletedCommand, type CompletedFlag, type Value, wordsBelow } from './completed-command.ts';

export function bashScript(commands: readonly CompletedCommand[]): string {
  const { tops, below } = wordsBelow(commands);
  const cases = commands.map((command) => commandCase(command, below.get(command.name) ?? []));
  return `# Completion of tickwright for bash.
_tickwright() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  local words='' value='' paths
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${[...tops.map(({ name }) => name), '--help', '--version'].join(' ')}'
  else
    case "$command \${COMP_WORDS[2]}" in
${[...below.values()].flat().map(twoWords).join('\n')}
    esac
    case "$command" in
${cases.join('\n')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  case "$value" in
    file) paths=-f ;;
    folder) paths=-d ;;
    *) return ;;
  esac
  compopt -o filenames
  mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen "$paths" -- "$current")
}
complete -F _tickwright tickwright
`;
}

function twoWords({ name }: CompletedCommand): string {
  return `      '${name}') [ "$COMP_CWORD" -gt 2 ] && command='${name}' ;;`;
}

function commandCase({ name, flags, argument }: CompletedCommand, below: readonly CompletedCommand[]): string {
  const valued = flags.filter(({ value }) => value.kind !== 'none').map(flagCase);
  const offered = [
    ...below.map(({ word }) => word),
    ...(argument.kind === 'words' ? argument.words : []),
    ...flags.flatMap(({ words }) => words),
  ];
  const path = argument.kind === 'file' || argument.kind === 'folder' ? [`        [[ "$current" == -* ]] || value=${argument.kind}`] : [];
  return [
    `      '${name}')`,
    `        words='${offered.join(' ')}'`,
    ...path,
    ...(valued.length === 0 ? [] : ['        case "$before" in', ...valued, '        esac']),
    '        ;;',
  ].join('\n');
}

function flagCase({ words, value }: CompletedFlag): string {
  return `          ${words.join(' | ')}) ${set(value)} ;;`;
}

function set(value: Value): string {
  return value.kind === 'words' ? `words='${value.words.join(' ')}' value=` : `words= value=${value.kind}`;
}
