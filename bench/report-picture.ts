/**
 * Takes the picture of a report's page that the README shows: its upper part, in a real browser.
 * `npm run -s picture -- report.html docs/pictures/report.webp`
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openTab } from '../test/support/processes/browser.ts';

const [page, picture] = process.argv.slice(2);
if (page === undefined || picture === undefined) throw new RangeError('expected the file of a page and the file of a picture');

const tab = await openTab();
try {
  await tab.open(pathToFileURL(resolve(page)).href, { width: 1280, height: 900, scheme: 'light' });
  await tab.until('document.documentElement.dataset.drawn !== undefined');
  const height = Number(await tab.ask(`document.getElementById('trades').getBoundingClientRect().top + scrollY`));
  writeFileSync(picture, await tab.picture({ format: 'webp', clip: { x: 0, y: 0, width: 1280, height } }));
  process.stdout.write(`written: ${picture}\n`);
} finally {
  await tab.close();
}
