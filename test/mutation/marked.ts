/**
 * Places of the known mutants. A mutant stands at a comment in `src`, `// mutant: NAME`, and its pattern is matched from there on. In a
 * pattern `$word` stands for any identifier, the same one at each use, and blanks do not count, so no renaming and no formatting breaks it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sourcesIn, type Source } from '../tidy/source.ts';

/** A change at a place: the name of its marker, the pattern that stands there, and what stands there instead. */
export type MarkedEdit = readonly [marker: string, pattern: string, instead: string];

/** A file of the project and its text with the change. */
export interface Change {
  readonly path: string;
  readonly text: string;
}

/** A pattern begins within so many characters after its marker. */
const REACH = 600;
const MARKER = /^[ \t]*\/\/ mutant: (.+)\n/gm;
const WORD = /\$?#?[A-Za-z_]\w*/g;
const IDENTIFIER = '#?[A-Za-z_]\\w*';

/** Names of all markers in `src`, one entry for each comment. */
export function markersInSource(): string[] {
  return sources().flatMap(({ text }) => [...text.matchAll(MARKER)].map(([, name]) => name!));
}

/** The files with the edits; a text that says what does not fit instead. */
export function changesOf(edits: readonly MarkedEdit[]): readonly Change[] | string {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const [marker] = edit;
    const hits = sources().filter(({ text }) => markerEnd(text, marker) >= 0);
    if (hits.length !== 1) return `expected the comment "// mutant: ${marker}" in one file of src, found it in ${hits.length}`;
    const { path, text } = hits[0]!;
    const changed = applied(texts.get(path) ?? text, edit);
    if (changed === null) return `${path}: the code after "// mutant: ${marker}" is not "${edit[1]}"`;
    const [strange] = wordsOf(edit).filter((word) => !knownWords().has(word));
    if (strange !== undefined) return `${marker}: no file of src has the word "${strange}" of "${edit[2]}"`;
    texts.set(path, changed);
  }
  return [...texts].map(([path, text]) => ({ path, text }));
}

/** The text with the edit, or null where the pattern does not stand at the marker. */
function applied(text: string, [marker, pattern, instead]: MarkedEdit): string | null {
  const from = markerEnd(text, marker);
  const found = from < 0 ? null : regexOf(pattern).exec(text.slice(from));
  if (found === null || found.index > REACH) return null;
  const written = instead.replace(/\$(\w+)/g, (_, word: string) => found.groups?.[word] ?? `$${word}`);
  const start = from + found.index;
  return text.slice(0, start) + written + text.slice(start + found[0].length);
}

/** Where the line after the marker begins; -1 without the marker. */
function markerEnd(text: string, marker: string): number {
  const found = [...text.matchAll(MARKER)].find(([, name]) => name === marker);
  return found === undefined ? -1 : found.index + found[0].length;
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
  return new RegExp(source.join(''));
}

/** Words of the replacement that the pattern does not give: a renaming must not leave them behind. */
function wordsOf([, , instead]: MarkedEdit): string[] {
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
