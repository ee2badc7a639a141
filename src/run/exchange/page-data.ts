/** Serves the data of the exchange's page, rebuilt at most a few times a second for all viewers. */
import { readFileSync } from 'node:fs';
import type { Page } from '../../edge/browser.ts';
import { createPage } from '../../edge/page/page.ts';
import { liveView, SORTS, type LiveQuestion, type LiveSources, type Sort } from './live-view.ts';
import type { PageAccess } from '../../config/model.ts';

/** An answer is reused for this many milliseconds. */
const FRESH_MS = 200;
const FIND_MAX = 40;

export function exchangePage(sources: LiveSources, viewers: PageAccess): Page {
  let made = { key: '', time: -Infinity, text: '' };
  return createPage({
    viewers,
    live(query) {
      const question = questionOf(query);
      const key = `${question.sort} ${question.find}`;
      const time = sources.now();
      const isFresh = made.key === key && time >= made.time && time - made.time < FRESH_MS;
      if (!isFresh) made = { key, time, text: JSON.stringify(liveView(sources, question)) };
      return made.text;
    },
  });
}

function questionOf(query: URLSearchParams): LiveQuestion {
  const sort = query.get('sort');
  return {
    find: (query.get('find') ?? '').slice(0, FIND_MAX),
    sort: SORTS.find((known): known is Sort => known === sort) ?? 'listed',
  };
}

/** The OpenAPI document with this exchange as the server. */
export function describeHere(): object {
  const document = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as object;
  return { ...document, servers: [{ url: '/' }] };
}
