/** Writes what is generated from the types: docs/reference/api.md and the schemas of what commands print. A part of `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiEntries, apiReference } from './api-reference.ts';
import { inProject } from './in-project.ts';
import { outputSchemas } from './output-schemas.ts';

const written = inProject((project) => ({
  'docs/reference/api.md': apiReference(apiEntries(project)),
  'src/cli/outputs/outputs.json': `${JSON.stringify(outputSchemas(project), null, 1)}\n`,
}));
for (const [path, text] of Object.entries(written)) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text);
  process.stdout.write(`${path}\n`);
}
