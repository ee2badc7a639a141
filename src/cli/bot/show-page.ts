/** Opens a page in the browser of this machine, or names the file that opens it. */
import { spawn } from 'node:child_process';
import type { CliContext } from '../shell/cli-context.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** An opener that finds no browser ends with an error within this time; one that goes on is a browser itself. */
const PATIENCE_MS = 3_000;

/** `isPrinted`: only the path of the file is printed. */
export async function showPage(
  { url, file }: { readonly url: string; readonly file: string },
  isPrinted: boolean,
  { io }: CliContext,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  if (isPrinted) return void io.stdout.write(`${file}\n`);
  const missing = `no browser could be started here: open this file in one within 30 seconds:\n  ${file}\n`;
  io.stderr.write((await isOpened(file, patienceMs)) ? `opened ${url}\n` : missing);
}

function isOpened(file: string, patienceMs: number): Promise<boolean> {
  const [program = '', ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((done) => {
    const child = spawn(program, [...words, file], { stdio: 'ignore', detached: true });
    const goesOn = setTimeout(() => done(true), patienceMs);
    const end = (isWell: boolean): void => {
      clearTimeout(goesOn);
      done(isWell);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
    child.unref();
  });
}
