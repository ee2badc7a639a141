/**
 * `npm run migrate [NAME…]`: makes the market of docs/migrate/README.md, runs its strategy in the frameworks of those pages, and compares
 * each result with the figure of the page. Installs what is missing into var/bench. Needs python3 3.11 or newer with venv, and a package index.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { heredocOf, resultOf } from './pages.ts';
import { install, isInstalled, MIGRATED, type Market } from './peers.ts';

const ROOT = join(import.meta.dirname, '../../..');
const docs = (page: string): string => readFileSync(join(ROOT, 'docs/migrate', page), 'utf8');

function makeMarket(): Market {
  const folder = join(ROOT, 'var/bench/migrate');
  mkdirSync(folder, { recursive: true });
  const at = (name: string): string => join(folder, name);
  const node = (...args: string[]): string => execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const tape = (...args: string[]): void => void node(join(ROOT, 'src/tickwright.js'), 'tape', ...args);
  writeFileSync(at('market.mjs'), heredocOf(docs('README.md'), 'market.mjs'));
  writeFileSync(at('minutes.csv'), node(at('market.mjs')));
  tape('import', at('minutes.csv'), '--symbol', 'BTCUSDT', '--out', at('minutes'), '--force');
  tape('resample', at('minutes'), '--timeframe', '1h', '--out', at('hours'), '--force');
  for (const name of ['minutes', 'hours']) tape('export', at(name), '--out', at(`${name}-csv`));
  return { hours: at('hours-csv/BTCUSDT.bars.csv'), minutes: at('minutes-csv/BTCUSDT.bars.csv'), folder };
}

const given = process.argv.slice(2);
const unknown = given.filter((name) => !Object.hasOwn(MIGRATED, name));
if (unknown.length > 0) {
  console.error(`expected names of ${Object.keys(MIGRATED).join(', ')}, found ${unknown.join(', ')}`);
  process.exit(2);
}
const market = makeMarket();
let differing = 0;
for (const [name, { page, run }] of Object.entries(MIGRATED)) {
  if (given.length > 0 && !given.includes(name)) continue;
  if (!isInstalled(name)) install(name);
  const found = run(market);
  const shown = resultOf(docs(page));
  const isSame = found.trades === shown.trades && found.net.toFixed(4) === shown.theirs.toFixed(4);
  if (!isSame) differing++;
  const said = `${found.trades} trades, net ${found.net.toFixed(4)}; the page has ${shown.trades}, ${shown.theirs.toFixed(4)}`;
  console.log(`${name.padEnd(16)}${isSame ? 'as in the page' : 'DIFFERS'}: ${said}`);
}
process.exitCode = differing > 0 ? 1 : 0;
