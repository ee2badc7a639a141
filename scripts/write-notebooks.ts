/** Writes docs/notebooks: a part of `npm run docs`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NOTEBOOKS, notebookOf, notebookPath, type NotebookName } from './notebooks.ts';

const root = new URL('../', import.meta.url);
mkdirSync(fileURLToPath(new URL('docs/notebooks/', root)), { recursive: true });
for (const name of Object.keys(NOTEBOOKS) as NotebookName[]) {
  writeFileSync(fileURLToPath(new URL(notebookPath(name), root)), notebookOf(name));
  process.stdout.write(`${notebookPath(name)}\n`);
}
