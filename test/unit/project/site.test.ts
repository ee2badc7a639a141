/** The site of the documentation: `npm run site`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite } from '../../../scripts/site/make-site.ts';
import { rendered } from '../../../scripts/site/markdown.ts';
import { hasChromium, openTab } from '../../support/processes/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwright-site-'));
const text = (path: string): string => readFileSync(join(folder, path), 'utf8');
const htmls = (): string[] => globSync('**/*.html', { cwd: folder });
beforeAll(() => void makeSite(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('links only to files of its own, or to other sites by a link that a reader follows', () => {
  const files = new Set(globSync('**/*', { cwd: folder }));
  for (const path of htmls()) {
    const own = text(path);
    // What a browser loads by itself is beside the page: it opens from the disk, without a network.
    for (const [, kind, href = ''] of own.matchAll(/<(a|link|script|img)\b[^>]*? (?:href|src)="([^"]*)"/g)) {
      if (/^https?:/.test(href)) expect([path, kind, href]).toEqual([path, 'a', href]);
      else if (!href.startsWith('#')) expect(files, `${path}: ${href}`).toContain(posix.join(posix.dirname(path), href.split('#')[0]!));
    }
  }
});

it('has each page as Markdown too, and lists it in llms.txt', () => {
  const list = text('llms.txt');
  const pages = htmls().filter((path) => text(path).includes('This page as Markdown'));
  expect(pages.length).toBeGreaterThan(60);
  for (const page of pages) {
    const path = page === 'index.html' ? 'README.md' : page.replace(/html$/, 'md');
    expect(list).toContain(`](${path})`);
    expect(text(path)).toContain('# ');
  }
});

it('finds a section by its words, those with the words in the title first', () => {
  const context = { SEARCH_INDEX: [] as unknown[], searchSections: (_index: unknown, _query: string): { href: string }[] => [] };
  runInNewContext(text('search.js'), context);
  runInNewContext(text('search-index.js'), context);
  const found = (query: string): string[] => context.searchSections(context.SEARCH_INDEX, query).map(({ href }) => href);
  expect(found('orders and brackets')[0]).toContain('docs/guide/3-orders-and-brackets.html#');
  expect(found('watchdog.silenceMs').length).toBeGreaterThan(0);
  expect(found('rsi').slice(0, 3).join()).toContain('indicators');
  expect(found('nosuchword')).toEqual([]);
  expect(found('(')).toEqual([]);
});

it('takes no HTML and no script of a page as its own', () => {
  const { html } = rendered('x.md', '# A `<b>` & "c"\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n');
  expect(html).not.toMatch(/<script|href="javascript|<b>/);
  expect(html).toContain('id="a-b--c"');
});

it('is used from the disk on a phone: search, a result, no request elsewhere', { skip: !hasChromium('the site') }, async () => {
  const tab = await openTab();
  try {
    await tab.open(pathToFileURL(join(folder, 'index.html')).href, { width: 390, height: 844, scheme: 'dark' });
    await tab.until(`globalThis.searchSections !== undefined`);
    expect(await tab.ask('document.documentElement.scrollWidth')).toBe(390);
    await tab.ask(`(() => { const input = document.getElementById('search'); input.focus(); input.value = 'kill switch';
      input.dispatchEvent(new Event('input')); })()`);
    await tab.until(`document.querySelectorAll('#found a').length > 3`);
    await tab.ask(`document.querySelector('#found a').click()`);
    await tab.until(`location.pathname.includes('/docs/') && document.querySelector('main h1') !== null`);
    expect(tab.complaints).toEqual([]);
    // The origin of files.
    expect([...tab.requested]).toEqual(['null']);
    expect(await tab.violations()).toEqual([]);
  } finally {
    await tab.close();
  }
});
