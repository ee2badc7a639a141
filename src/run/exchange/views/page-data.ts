/** Serves the data of the exchange's page, rebuilt at most a few times a second for all viewers. */
import { readFileSync } from 'node:fs';
import { once } from '../../../base/once.ts';
import type { Page } from '../../../edge/browser.ts';
import { createPage } from '../../../edge/page/page.ts';
import { FAULTS } from '../../../edge/serve/faults/fault-plan.ts';
import type { AdminDoor } from '../../../edge/serve/admin.ts';
import { styleOfLogo } from '../../report/page-files.ts';
import { candleScript } from '../../setup/package-file.ts';
import { marketView, type MarketSources } from './market-view.ts';
import { liveView, SORTS, type LiveQuestion, type LiveSources, type Sort } from './live-view.ts';
import type { PageAccess } from '../../../config/model.ts';

/** An answer is reused for this many milliseconds. */
const FRESH_MS = 200;
const FIND_MAX = 40;
const SYMBOL_MAX = 40;

export interface PageSources extends LiveSources {
  readonly past: MarketSources['past'];
  /** Null while there is no admin interface. */
  readonly door: () => AdminDoor | null;
}

export function exchangePage(sources: PageSources, viewers: PageAccess): Page {
  const [keptLive, keptMarket] = [kept(sources.now), kept(sources.now)];
  return createPage({
    viewers,
    library,
    choices: { faults: faultChoices() },
    admin: ({ authorization, body, method, path, query }) => {
      const target = query.size === 0 ? path : `${path}?${query.toString()}`;
      return sources.door()?.answer({ method, target, authorization, body }) ?? null;
    },
    market(query) {
      const key = (query.get('symbol') ?? '').slice(0, SYMBOL_MAX);
      return keptMarket(key, () => marketView(sources, key));
    },
    live(query) {
      const question = questionOf(query);
      return keptLive(`${question.sort} ${question.find}`, () => liveView(sources, question));
    },
  });
}

/** Lightweight Charts, as it was published, and the style that it adds. */
const library = once(() => {
  const script = candleScript();
  const style = styleOfLogo(script);
  return { script, styles: style === undefined ? [] : [style] };
});

/** The answer to the newest question as JSON, made again for another question and after FRESH_MS. */
function kept(now: () => number): (key: string, answer: () => object | null) => string {
  let made = { key: '', time: -Infinity, text: '' };
  return (key, answer) => {
    const time = now();
    const isFresh = made.key === key && time >= made.time && time - made.time < FRESH_MS;
    if (!isFresh) made = { key, time, text: JSON.stringify(answer()) };
    return made.text;
  };
}

/** The faults that the page can switch on, and the fields that each needs. */
function faultChoices(): readonly object[] {
  return Object.entries(FAULTS).map(([name, { doc, fields }]) => {
    const needs = Object.entries(fields).filter(([field, { isOptional }]) => isOptional !== true || field === 'status');
    return { name, doc, fields: needs.map(([field, { doc: says }]) => [field, says]) };
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
  const document = JSON.parse(readFileSync(new URL('../../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as object;
  return { ...document, servers: [{ url: '/' }] };
}
