/** Writes the pages of docs/ that are derived from the contract: `node src/cli/generate-docs.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedDocs } from '../contract/generated-docs.ts';

const folder = fileURLToPath(new URL('../../docs/', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(generatedDocs())) {
  writeFileSync(folder + name, text);
  process.stdout.write(`docs/${name}\n`);
}
