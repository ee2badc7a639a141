/**
 * The exchange's web page, and the JSON that it fetches once a second. The page is one document; it fetches the library of charts when a market is
 * opened. Its content policy allows only these scripts and its style, by their hashes. By default all are only for users of this machine: a caller
 * from elsewhere, or one that used another host name, gets 403. Admin commands are only for the page itself, on this machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inlined } from '../../browser/inline.ts';
import type { Page, PageAnswer, PageRequest } from '../browser.ts';

/** Who may see the page. 'here': callers on this machine with a host name of this machine. 'everyone': every caller. 'nobody': no page. */
export type Viewers = 'here' | 'everyone' | 'nobody';

export interface PageOptions {
  readonly viewers: Viewers;
  /** Returns the answer of `/live.json` as JSON text. */
  readonly live: (query: URLSearchParams) => string;
  /** Returns the answer of `/market.json`: candles and depth of a market. */
  readonly market: (query: URLSearchParams) => string;
  /** The library of charts, and the styles that it adds. */
  readonly library: () => { readonly script: string; readonly styles: readonly string[] };
  /** What the page can choose from, for its script: plain JSON. */
  readonly choices: object;
  /** Carries out an admin command of the page; null if there is no admin interface. */
  readonly admin: (request: PageRequest) => Pick<PageAnswer, 'status' | 'text'> | null;
}

const LOCAL_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;
const LOCAL_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const COMMON: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

const JSON_TYPE = 'application/json';

/** Serves `/`, its data, the library of charts and the admin commands of the page; returns null for any other request. */
export function createPage(options: PageOptions): Page {
  let composed: Document | null = null;
  const document = (): Document => (composed ??= compose(options));
  const answers: Readonly<Record<string, (query: URLSearchParams) => Omit<PageAnswer, 'status'>>> = {
    '/live.json': (query) => ({ type: JSON_TYPE, text: options.live(query), headers: COMMON }),
    '/market.json': (query) => ({ type: JSON_TYPE, text: options.market(query), headers: COMMON }),
    '/charts.js': () => ({ type: 'text/javascript; charset=utf-8', text: options.library().script, headers: COMMON }),
    '/': () => {
      const { html, policy } = document();
      const headers = { ...COMMON, 'content-security-policy': policy, 'x-frame-options': 'DENY' };
      return { type: 'text/html; charset=utf-8', text: html, headers };
    },
  };
  return (request) => {
    const { method, path, query } = request;
    if (options.viewers === 'nobody') return null;
    if (path === '/admin' || path.startsWith('/admin/')) return { ...commanded(request, options), type: JSON_TYPE, headers: COMMON };
    const answer = Object.hasOwn(answers, path) && method === 'GET' ? answers[path] : undefined;
    if (answer === undefined) return null;
    if (options.viewers === 'here' && !isFromHere(request)) {
      return {
        status: 403,
        type: 'text/plain; charset=utf-8',
        text: 'This page is only available on the machine that serves it.\n',
        headers: COMMON,
      };
    }
    return { status: 200, ...answer(query) };
  };
}

/** Pages of other sites, and callers from elsewhere, are refused whatever token they have. */
function commanded(request: PageRequest, { admin }: PageOptions): Pick<PageAnswer, 'status' | 'text'> {
  const refusal = (status: number, what: string, hint?: string) => ({ status, text: JSON.stringify({ problems: [{ what, hint }] }) });
  if (!isFromHere(request) || request.site !== 'same-origin')
    return refusal(403, 'expected a call of the page of this exchange on this machine', 'programs use the admin port');
  return admin(request) ?? refusal(404, 'this exchange has no admin interface', 'start it with --admin-port 0');
}

function isFromHere({ host, remoteAddress }: PageRequest): boolean {
  return LOCAL_ADDRESS.test(remoteAddress ?? '') && LOCAL_NAME.test(host ?? '');
}

/** Scripts that every page of the program shares. */
const SHARED = ['figures.js', 'chart-look.js'];
/** Those of this page, in this order. */
const OWN = [new URL('./spark.js', import.meta.url), new URL('./client.js', import.meta.url), new URL('./market.js', import.meta.url)];

interface Document {
  readonly html: string;
  readonly policy: string;
}

/** Combines markup, style and script into one document. */
function compose({ choices, library }: PageOptions): Document {
  const charts = library();
  const style = textOf(new URL('../../browser/look.css', import.meta.url)) + textOf(new URL('./page.css', import.meta.url));
  const given = `const CHOICES = ${JSON.stringify({ ...choices, charts: hashOf(charts.script) }).replaceAll('<', '\\u003c')};\n`;
  const script =
    given + SHARED.map((file) => inlined(new URL(`../../browser/${file}`, import.meta.url))).join('') + OWN.map(textOf).join('');
  const html = textOf(new URL('./page.html', import.meta.url))
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}' '${hashOf(charts.script)}'`,
    `style-src ${[style, ...charts.styles].map((text) => `'${hashOf(text)}'`).join(' ')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };
}

function textOf(url: URL): string {
  return readFileSync(url, 'utf8');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
