/** The page of a session: it loads nothing, runs its own script alone, and no text of the session becomes markup. */
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { timelinePage, type TimelineData } from '../../../src/report/timeline/timeline-page.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
const HOSTILE = '</script><img src=x onerror=alert(1)>';
const DATA: TimelineData = {
  session: HOSTILE,
  from: 1,
  to: 2,
  facts: [HOSTILE],
  symbols: [{ name: HOSTILE, prices: [[1, 2]] }],
  orders: [],
  halts: [],
  rows: [[1, 'note', HOSTILE, 0, HOSTILE]],
};

it('a page of a session loads nothing, and runs only what its policy names by hash', () => {
  const page = timelinePage(DATA, hashOf);
  expect(page).not.toMatch(/https?:|src="|@import|url\(|fetch\(|XMLHttpRequest|innerHTML|insertAdjacentHTML|document\.write/);
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page)!;
  const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text]) => text!);
  expect(scripts).toHaveLength(1);
  expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(scripts[0]!)}'"`);
  expect(() => runInNewContext(`() => {${scripts[0]!}}`)).not.toThrow();
});

it('no text of the session becomes markup, and the page has all of it', () => {
  const page = timelinePage(DATA, hashOf);
  expect(page).not.toContain(HOSTILE);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  const [, json = ''] = /id="data">(.*)<\/script>/.exec(page)!;
  expect(JSON.parse(json)).toEqual(DATA);
});
