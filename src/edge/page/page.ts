/**
 * The exchange's web page, and the JSON that it fetches once a second. The page is one document without other requests. Its content policy
 * allows only its own script and style, by their hashes. By default both are only for users of this machine: a caller from elsewhere, or
 * one that used another host name, gets 403.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inlined } from '../../browser/inline.ts';
import type { Page, PageRequest } from '../browser.ts';

/** Who may see the page. 'here': callers on this machine with a host name of this machine. 'everyone': every caller. 'nobody': no page. */
export type Viewers = 'here' | 'everyone' | 'nobody';

export interface PageOptions {
  readonly viewers: Viewers;
  /** Returns the answer of `/live.json` as JSON text. */
  readonly live: (query: URLSearchParams) => string;
}

const LOCAL_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;
const LOCAL_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const COMMON: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves `/` and `/live.json`; returns null for any other path. */
export function createPage(options: PageOptions): Page {
  let document: Document | null = null;
  return (request) => {
    const { path, query } = request;
    if ((path !== '/' && path !== '/live.json') || options.viewers === 'nobody') return null;
    if (options.viewers === 'here' && !isFromHere(request)) {
      return {
        status: 403,
        type: 'text/plain; charset=utf-8',
        text: 'This page is only available on the machine that serves it.\n',
        headers: COMMON,
      };
    }
    if (path === '/live.json') return { status: 200, type: 'application/json', text: options.live(query), headers: COMMON };
    document ??= compose();
    const headers = { ...COMMON, 'content-security-policy': document.policy, 'x-frame-options': 'DENY' };
    return { status: 200, type: 'text/html; charset=utf-8', text: document.html, headers };
  };
}

function isFromHere({ host, remoteAddress }: PageRequest): boolean {
  return LOCAL_ADDRESS.test(remoteAddress ?? '') && LOCAL_NAME.test(host ?? '');
}

interface Document {
  readonly html: string;
  readonly policy: string;
}

/** Combines markup, style and script into one document. */
function compose(): Document {
  const style = textOf(new URL('../../browser/look.css', import.meta.url)) + textOf(new URL('./page.css', import.meta.url));
  const script = inlined(new URL('../../browser/figures.js', import.meta.url)) + textOf(new URL('./client.js', import.meta.url));
  const html = textOf(new URL('./page.html', import.meta.url))
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
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
