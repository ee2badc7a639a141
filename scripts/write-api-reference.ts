/** Writes docs/reference/api.md, which needs the TypeScript compiler: a part of `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiReference } from './api-reference.ts';

writeFileSync(fileURLToPath(new URL('../docs/reference/api.md', import.meta.url)), apiReference());
process.stdout.write('docs/reference/api.md\n');
