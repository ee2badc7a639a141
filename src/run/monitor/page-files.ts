/**
 * Reads the files of the dashboard's page: its modules as they are in `src`, without their headers, and the libraries as they were published.
 * Nothing is built. Scripts that are fetched when they are first shown are named in the page with their hashes: a program that takes the port of
 * a dead monitor cannot put in others.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { LOG_EVENTS } from '../../base/tables/log-events.ts';
import type { WebFile } from '../../edge/web/web-server.ts';
import { styleOfLogo } from '../report/page-files.ts';
import { candleScript, packageFile } from '../setup/package-file.ts';

export interface DashboardFiles {
  /** By the path of the URL: "/" is the page, the others begin with "/app/". */
  readonly files: ReadonlyMap<string, WebFile>;
  /** Paths of those that are fetched when they are first shown. */
  readonly later: ReadonlySet<string>;
  /** The content security policy of the page. */
  readonly policy: string;
}

const SOURCE = new URL('../../', import.meta.url);
const PAGE = new URL('../../monitor/page/main.js', import.meta.url);
/** Parts that are fetched when they are first shown. */
const LATER = '/app/monitor/page/later/';
/** Folders below `src` whose scripts and styles the page has. */
const FOLDERS = ['browser', 'monitor/page', 'monitor/page/later', 'monitor/page/live', 'monitor/page/parts', 'monitor/page/views'];
const LIBRARIES = [
  ['preact.js', 'preact', 'dist/preact.mjs'],
  ['hooks.js', 'preact', 'hooks/dist/hooks.mjs'],
  ['lightweight-charts.js', 'lightweight-charts', 'dist/lightweight-charts.standalone.production.js'],
  ['uplot.js', 'uplot', 'dist/uPlot.iife.min.js'],
  ['uplot.css', 'uplot', 'dist/uPlot.min.css'],
] as const;
/** What a file says of itself is for who reads the source. */
const HEADER = /^\/\*\*[^]*?\*\/\n/;
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

export function dashboardFiles(): DashboardFiles {
  const files = new Map<string, WebFile>();
  const add = (path: string, text: string): void => void files.set(path, fileOf(text, TYPES[path.split('.').at(-1)!]!));
  for (const folder of FOLDERS) {
    const names = readdirSync(new URL(`${folder}/`, SOURCE)).filter((name) => /\.(js|css)$/.test(name));
    for (const name of names) add(`/app/${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, SOURCE), 'utf8').replace(HEADER, ''));
  }
  for (const [name, library, path] of LIBRARIES) add(`/app/lib/${name}`, packageFile(library, path));
  add(`${LATER}events.js`, eventsModule());
  const later = new Set([...files.keys()].filter((path) => path.startsWith(LATER)));
  const fetched = new Set([...later, '/app/lib/uplot.js', '/app/lib/lightweight-charts.js']);
  const modules = [...files.keys()].filter((path) => path.endsWith('.js') && !fetched.has(path));
  const hashes = Object.fromEntries([...fetched].map((path) => [path, hashOf(files.get(path)!.body)]));
  const preloads = modules.map((path) => `<link rel="modulepreload" href="${path}" />`).join('\n    ');
  const html = readFileSync(new URL('index.html', PAGE), 'utf8').replace(
    '<!-- modules -->',
    `<meta name="hashes" content='${JSON.stringify(hashes)}' />\n    ${preloads}`,
  );
  files.set('/', fileOf(html, 'text/html; charset=utf-8'));
  return {
    files,
    later,
    policy: policyOf(html, styleOfLogo(candleScript())),
  };
}

/** Only the page's own files, its import map and the style that Lightweight Charts adds for its logo. */
function policyOf(html: string, logo: string | undefined): string {
  const map = /<script type="importmap">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  return [
    "default-src 'none'",
    `script-src 'self' '${hashOf(map)}'`,
    `style-src 'self'${logo === undefined ? '' : ` '${hashOf(logo)}'`}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function fileOf(text: string, type: string): WebFile {
  const body = Buffer.from(text);
  return { type, body, gzip: gzipSync(body, { level: 9 }) };
}

/** What each event of the log means, in a sentence. */
function eventsModule(): string {
  const sentences = Object.entries(LOG_EVENTS).map(([name, { doc }]) => [
    name,
    doc
      .split(/[.;:] /)[0]!
      .replaceAll('`', '')
      .replace(/\.$/, ''),
  ]);
  return `export const EVENTS = ${JSON.stringify(Object.fromEntries(sentences))};\n`;
}

function hashOf(text: string | Buffer): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
