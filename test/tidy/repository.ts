/** Checks of the tracked files: no paths of the author's machine, no package registries, no stray files. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorOf } from '../../scripts/site/anchor.ts';
import { ROOT, type Source } from './source.ts';

/** Absolute paths of a machine: a folder of a user, of root, or of a workspace at the root of the disk. */
const MACHINE_PATH = /(?<![\w.~@$}/-])\/(?:home|root|work|Users|tmp\/[a-z]{2})\/[\w.-]+/g;

export function machinePaths(source: Source): string[] {
  return source.text.split('\n').flatMap((line, index) => {
    const found = [...line.matchAll(MACHINE_PATH)].map((match) => match[0]);
    return found.map((path) => `${source.path}:${index + 1} names ${path}`);
  });
}

/** Paths of the repository that a page names, and links to other files. */
const OWN_PATH = /\b(?:src|test|bench|config|strategies|docs)\/[\w./-]*\w/g;
const LINK = /\]\(([^)#]+)/g;

/** Paths that a page names and that do not exist; `isThere` gets paths from the root. */
export function deadPaths(page: Source, isThere: (path: string) => boolean): string[] {
  const text = page.text.replaceAll(/\w+:\/\/[^\s)]+/g, '');
  // The guide and the page of the container name files of the reader's own folder. Their tests write them, or look for what is ours.
  const isOfReader = page.path.startsWith('docs/guide/') || page.path === 'docs/container.md';
  const spoken = isOfReader ? [] : [...text.matchAll(OWN_PATH)].map(([path]) => path);
  const linked = [...text.matchAll(LINK)].map(([, path = '']) => posix.join(posix.dirname(page.path), path));
  return [...new Set([...spoken, ...linked])]
    .filter((path) => !isThere(path))
    .map((path) => `${page.path} names ${path}, which does not exist`);
}

/** Files of docs/ that code, a message or a configuration names. */
const DOC_FILE = /(?<![\w/.-])docs\/[\w./-]+\.(?:md|json|webp|svg)\b/g;

/** Files of docs/ that a file other than a page names and that do not exist. */
export function deadDocs(source: Source, isThere: (path: string) => boolean): string[] {
  const named = new Set([...source.text.matchAll(DOC_FILE)].map(([path]) => path));
  return [...named].filter((path) => !isThere(path)).map((path) => `${source.path} names ${path}, which does not exist`);
}

const ANCHOR = /\]\(([^)#\s]*)#([^)\s]+)\)/g;

/** Links to a heading that the page does not have; `textAt` gets paths from the root. */
export function deadAnchors(page: Source, textAt: (path: string) => string): string[] {
  const text = page.text.replaceAll(/\w+:\/\/[^\s)]+/g, '');
  return [...text.matchAll(ANCHOR)].flatMap(([, file = '', anchor = '']) => {
    const path = file === '' ? page.path : posix.join(posix.dirname(page.path), file);
    return anchorsOf(textAt(path)).has(anchor) ? [] : [`${page.path} links to ${path}#${anchor}, which is no heading of it`];
  });
}

/** The anchors of the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const taken = new Map<string, number>();
  const headings = text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set([...headings].map(([, heading = '']) => anchorOf(heading, taken)));
}

/**
 * Keys of the configuration as no YAML has them, where a person would copy them: `a.b: value` in code of a page. `a: { b: value }` can be copied.
 */
export function dottedKeys({ path, text }: Source): string[] {
  const found = text.matchAll(/(?:^|`)([a-z]\w*(?:\.\w+)+: [^`\n]+)/gm);
  return [...found].map(([, key = '']) => `${path} has ${key}, which cannot be copied into a configuration`);
}

/** Words of a page that are written by hand: without code blocks, and without parts between the marks `<!-- NAME:start -->` and `<!-- NAME:end -->`. */
export function wordsByHand({ text }: Source): number {
  const written = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/<!-- (\w+):start -->[\s\S]*?<!-- \1:end -->/g, '');
  return written.match(/[^\s|]*[\p{L}\p{N}][^\s|]*/gu)?.length ?? 0;
}

/** Endings of what belongs here (webp and svg: the pictures of the pages, py: what writes the vectors of TA-Lib, service: the unit of systemd, ipynb: notebooks), and the files that are known by their whole name. */
const KINDS = ['ts', 'js', 'json', 'yaml', 'yml', 'md', 'html', 'css', 'webp', 'svg', 'py', 'service', 'ipynb'];
const NAMES = [
  'LICENSE',
  '.ci/run',
  '.editorconfig',
  '.gitignore',
  '.nvmrc',
  '.ci/python.txt',
  'ecosystem.config.cjs',
  'config/container/Dockerfile',
  'config/container/Dockerfile.dockerignore',
];
/** Files of systemd for the user and the folder of the bots. */
const SYSTEMD = /^config\/systemd\/tickwright\.\w+\.conf$/;

/** Files left behind by mistake: notes, figures, data. */
export function strayFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => !NAMES.includes(path) && !SYSTEMD.test(path) && !KINDS.includes(posix.extname(path).slice(1)));
}

/** Packages in a lock file with a registry address: each must install from the user's own registry. */
export function strayResolutions(lock: unknown): string[] {
  const packages = isRecord(lock) && isRecord(lock['packages']) ? lock['packages'] : {};
  return Object.entries(packages).flatMap(([name, entry]) => {
    const resolved = isRecord(entry) ? entry['resolved'] : undefined;
    if (resolved === undefined) return [];
    return [`${name} is resolved at ${JSON.stringify(resolved)}`];
  });
}

/** The text of a tracked file, or null when it is not text. */
export function textOf(path: string): Source | null {
  const bytes = readFileSync(join(ROOT, path));
  return bytes.subarray(0, 8000).includes(0) ? null : { path, text: bytes.toString('utf8') };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
