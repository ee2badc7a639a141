/** Makes the documentation as pages that open from the disk: `npm run site`, then open var/site/index.html. */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeSite } from './site/make-site.ts';

const folder = fileURLToPath(new URL('../var/site', import.meta.url));
rmSync(folder, { recursive: true, force: true });
const { pages, files } = makeSite(folder);
process.stdout.write(`var/site/index.html: ${pages} pages and ${files} files that they show or link to\n`);
