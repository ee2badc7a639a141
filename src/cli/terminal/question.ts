/** Questions to the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** What was typed; null if nobody can be asked, because the input is no terminal. */
export async function asked(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** The same for a secret: it is not shown while it is typed. Without a terminal it is the first line of the input. */
export async function askedSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).split(/\r?\n/, 1)[0]!;
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  stderr.write(question);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
