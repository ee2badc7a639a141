/** A question to the person at the terminal. */
import { createInterface } from 'node:readline/promises';

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
