/**
 * Small changes of `src` that tests must find. A change names a file and the code that it replaces; nothing in `src` says where. In a
 * pattern `$word` stands for any identifier, the same one at each use, and blanks do not count, so no renaming and no formatting breaks it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sourcesIn, type Source } from '../tidy/source.ts';

/**
 * `at`: the end of the path of a file in which the pattern stands once, as "fills.ts" or "matching/fills.ts". If it stands there more often:
 * "fills.ts open", for the first place from the function or method `open` on. `instead`: the text that replaces it.
 */
export type SourceEdit = readonly [at: string, pattern: string, instead: string];

/** A change that is known by a name. */
export type NamedEdit = readonly [name: string, ...edit: SourceEdit];

/** A file of the project and its text with the change. */
export interface Change {
  readonly path: string;
  readonly text: string;
}

const WORD = /\$?#?[A-Za-z_]\w*/g;
const IDENTIFIER = '#?[A-Za-z_]\\w*';

/** The files with the edits; a text that says what does not fit instead. */
export function changesOf(edits: readonly SourceEdit[]): readonly Change[] | string {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const [at] = edit;
    const [name, within] = at.split(' ');
    const files = sources().filter(({ path }) => path.endsWith(`/${name}`));
    if (files.length !== 1) return `${at}: expected one file of src with this name, found ${files.length}`;
    const { path, text } = files[0]!;
    const changed = applied(texts.get(path) ?? text, edit, within);
    if (typeof changed === 'number') return `${at}: expected "${edit[1]}" once, found it ${changed} times`;
    const [strange] = wordsOf(edit).filter((word) => !knownWords().has(word));
    if (strange !== undefined) return `${at}: no file of src has the word "${strange}" of "${edit[2]}"`;
    texts.set(path, changed);
  }
  return [...texts].map(([path, text]) => ({ path, text }));
}

/** The text with the edit; if its place is not clear, how often the pattern stands there. */
function applied(text: string, [, pattern, instead]: SourceEdit, within: string | undefined): string | number {
  const from = within === undefined ? 0 : declarationOf(within, text);
  const hits = from < 0 ? [] : [...text.slice(from).matchAll(regexOf(pattern))];
  const [found] = hits;
  if (found === undefined || (within === undefined && hits.length > 1)) return hits.length;
  const written = instead.replace(/\$(\w+)/g, (_, word: string) => found.groups?.[word] ?? `$${word}`);
  const start = from + found.index;
  return text.slice(0, start) + written + text.slice(start + found[0].length);
}

/** Where the function or method of this name is declared; -1 if it is not. */
function declarationOf(name: string, text: string): number {
  return text.search(new RegExp(`^(?: {2})?(?:[a-z]+ )*${name}(?:<.*>)?\\((?:.*[{,])?$`, 'm'));
}

function regexOf(pattern: string): RegExp {
  const seen = new Set<string>();
  const parts = pattern.trim().split(/(\$\w+|\s+)/);
  const source = parts.map((part) => {
    if (part.trim() === '') return part === '' ? '' : '\\s*';
    if (!part.startsWith('$')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const word = part.slice(1);
    if (seen.has(word)) return `\\k<${word}>`;
    seen.add(word);
    return `(?<${word}>${IDENTIFIER})`;
  });
  return new RegExp(source.join(''), 'g');
}

/** Words of the replacement that the pattern does not give: a renaming must not leave them behind. */
function wordsOf([, , instead]: SourceEdit): string[] {
  const code = instead.replace(/'[^']*'|"[^"]*"/g, '');
  return (code.match(WORD) ?? []).filter((word) => !word.startsWith('$'));
}

let words: Set<string> | undefined;
function knownWords(): Set<string> {
  words ??= new Set(sources().flatMap(({ text }) => text.match(WORD) ?? []));
  return words;
}

let all: readonly Source[] | undefined;
function sources(): readonly Source[] {
  all ??= sourcesIn('src').map(({ path }) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  return all;
}
