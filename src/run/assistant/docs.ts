/** The pages of docs for an assistant: as a list, whole, and by a search over their parts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { Page, Tool } from '../../edge/mcp/serve.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url));
const FOUND_MOST = 8;
const EXCERPT = 700;

/** All pages, by path: "guide/1-first-strategy.md". */
export function pagesOfDocs(): readonly Page[] {
  return pathsIn(FOLDER).map((path) => ({
    uri: `tickwright://docs/${path}`,
    title: path,
    read: () => readFileSync(join(FOLDER, path), 'utf8'),
  }));
}

export function docsTool(pages: readonly Page[]): Tool {
  const names = pages.map(({ title }) => title);
  return {
    name: 'docs',
    description:
      'Pages of the documentation. With `search`: the parts of pages that fit best. With `page`: that page. With neither: the list.',
    isReading: true,
    fields: {
      search: { kind: 'text', isOptional: true, doc: 'words to look for, such as "halt after a restart"' },
      page: { kind: 'text', isOptional: true, doc: 'a page of the list, such as "operations.md"' },
    },
    async call({ search, page }) {
      if (typeof page === 'string') {
        const found = pages.find(({ title }) => title === page);
        if (found !== undefined) return { page, text: found.read() };
        throw new Failure('path-missing', {
          what: `there is no page ${page}: ${didYouMean(page, names) ?? 'without fields the tool lists them'}`,
        });
      }
      return typeof search === 'string' ? { found: searched(search, pages) } : { pages: names };
    },
  };
}

interface Part {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The parts with most of the words, those in headings counted double; of equal ones the shorter. */
function searched(search: string, pages: readonly Page[]): readonly Part[] {
  const words = [...new Set(search.toLowerCase().match(/[\p{L}\p{N}.-]{2,}/gu) ?? [])];
  const scored = pages.flatMap(partsOf).map((part) => {
    const [heading, text] = [`${part.page} ${part.heading}`.toLowerCase(), part.text.toLowerCase()];
    const score = words.reduce((sum, word) => sum + (heading.includes(word) ? 2 : 0) + (text.includes(word) ? 1 : 0), 0);
    return { part, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.part.text.length - b.part.text.length)
    .slice(0, FOUND_MOST)
    .map(({ part }) => ({ ...part, text: part.text.slice(0, EXCERPT) }));
}

/** A page cut before each heading. */
function partsOf(page: Page): readonly Part[] {
  return page
    .read()
    .split(/^(?=#{1,4} )/m)
    .map((text) => ({ page: page.title, heading: /^#+ (.*)/.exec(text)?.[1] ?? '', text: text.replace(/^#.*\n/, '').trim() }));
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
