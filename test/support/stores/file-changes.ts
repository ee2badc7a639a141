/**
 * Every state in which a killed process may leave the files of a folder: all changes of files that it made, one by one, as strace saw them.
 * The kernel keeps what was written before a kill, so the state after any number of changes is what a kill at that moment leaves.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

interface Content {
  bytes: Buffer;
}
type Change = (files: Map<string, Content>) => void;

const CALLS = 'trace=openat,pwrite64,write,ftruncate,unlink,link,rename';

/** Runs a module on the folder, and returns how it changes the files there. */
export function changesBy(module: string, folder: string, ...more: readonly string[]): Change[] {
  const place = mkdtempSync(join(tmpdir(), 'tickwright-strace-'));
  const log = join(place, 'log');
  const { status, stderr } = spawnSync(
    'strace',
    ['-D', '-f', '-y', '-xx', '-s', '100000', '-e', CALLS, '-o', log, process.execPath, module, folder, ...more],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${module} ended with ${status}: ${stderr}`);
  const lines = readFileSync(log, 'latin1').split('\n');
  rmSync(place, { recursive: true });
  return lines.flatMap((line) => changeOf(line, folder) ?? []);
}

function changeOf(line: string, folder: string): Change | null {
  const names = [...line.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => Buffer.from(hex.replaceAll('\\x', ''), 'hex'));
  const open = /<((?:\\x[0-9a-f]{2})+)>/.exec(line);
  const file = open === null ? '' : Buffer.from(open[1]!.replaceAll('\\x', ''), 'hex').toString();
  const isHere = (path: string): boolean => dirname(path) === folder;
  const call = /^\d+ +(\w+)\(/.exec(line)?.[1];
  switch (call) {
    case 'openat': {
      const path = String(names[0]);
      if (!isHere(path) || !line.includes('O_CREAT') || line.includes(' = -1')) return null;
      return (files) => void (files.has(path) || files.set(path, { bytes: Buffer.alloc(0) }));
    }
    case 'pwrite64':
    case 'write': {
      if (!isHere(file)) return null;
      const [, , at] = /", (\d+)(?:, (\d+))?/.exec(line)!;
      const bytes = names[0]!;
      return (files) => {
        const content = files.get(file)!;
        const from = at === undefined ? content.bytes.length : Number(at);
        const grown = Buffer.alloc(Math.max(content.bytes.length, from + bytes.length));
        content.bytes.copy(grown);
        bytes.copy(grown, from);
        content.bytes = grown;
      };
    }
    case 'ftruncate': {
      if (!isHere(file)) return null;
      const length = Number(/, (\d+)/.exec(line)![1]);
      return (files) => {
        const grown = Buffer.alloc(length);
        files.get(file)!.bytes.copy(grown);
        files.get(file)!.bytes = grown;
      };
    }
    case 'link':
    case 'rename':
    case 'unlink': {
      const [from, to] = names.map(String);
      if (!isHere(from!) || line.includes(' = -1')) return null;
      return (files) => {
        if (to !== undefined) files.set(to, files.get(from!)!);
        if (call !== 'link') files.delete(from!);
      };
    }
    default:
      return null;
  }
}

/** The files of a folder in memory, which changes are applied to. */
export class FilesOf {
  readonly #files: Map<string, Content>;

  constructor(folder: string) {
    this.#files = new Map(readdirSync(folder).map((name) => [join(folder, name), { bytes: readFileSync(join(folder, name)) }]));
  }

  apply(change: Change): void {
    change(this.#files);
  }

  /** Writes them to an empty folder. */
  writeTo(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [path, { bytes }] of this.#files) writeFileSync(join(folder, basename(path)), bytes);
  }
}
