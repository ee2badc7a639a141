/** A document: its text and its page show the same sentences, tables and figures, and a terminal of any usual width has room for them. */
import { describe, expect, test } from 'vitest';
import { documentMarkdown } from '../../../src/report/document/document-markdown.ts';
import { documentPage } from '../../../src/report/document/document-page.ts';
import { documentText } from '../../../src/report/document/document-text.ts';
import type { Block, Cell, Document } from '../../../src/report/document/document.ts';
import { researchDocument } from '../../../src/report/document/research/research-document.ts';
import { HOSTILE_NAME, RESULTS } from '../../support/research/research-results.ts';

const documents = Object.entries(RESULTS).map(([name, result]) => [name, researchDocument(result)] as const);
const pageOf = (document: Document): string => documentPage(document, { style: '', scripts: [], lateStyles: [] }, () => 'hash');

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
/** The text of markup, with single blanks. */
const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!)
    .replaceAll(/\s+/g, ' ')
    .trim();
/** The page without its charts. */
const withoutCharts = (page: string): string =>
  page.replaceAll(/<svg[^>]*>(?:[^](?!<svg))*?<\/svg>/g, '').replaceAll(/<div class="plot[^]*?<\/div>/g, '');

/** Everything that a block says, row by row. */
function linesOf(block: Block): string[][] {
  const said = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);
  switch (block.kind) {
    case 'sentence':
      return [[block.text]];
    case 'notes':
      return block.notes.map((note) => [note]);
    case 'facts':
      return block.facts.map(({ title, figure, words }) => [title, figure.text, words]);
    case 'list':
      return block.items.map((item) => [...item]);
    case 'table':
      return block.rows.map((row) => row.map(said));
    case 'beside':
    case 'group':
      return block.blocks.flatMap(linesOf);
    case 'either':
      return linesOf(block.page);
    case 'chart':
    case 'folded':
      return [];
  }
}
const rowsOf = ({ sections }: Document): string[] =>
  sections
    .flatMap(({ blocks }) => blocks.flatMap(linesOf))
    .map((row) =>
      row
        .filter((cell) => cell !== '')
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    );

describe.each(documents)('the document of a %s', (name, document) => {
  const rows = rowsOf(document);

  test('has figures', () => {
    expect(rows.length).toBeGreaterThan(4);
    expect(new Set(rows).size).toBeGreaterThan(4);
  });

  test('says the same as text, as a page and as Markdown, row by row and in the same order', () => {
    const text = documentText(document, 10_000).replaceAll(/[\s█]+/g, ' ');
    const page = textOf(withoutCharts(pageOf(document).replace(/^[^]*<body>/, '')));
    const markdown = documentMarkdown(document)
      .replaceAll(/\\(.)/g, '$1')
      .replaceAll(/[\s|]+/g, ' ');
    for (const [shown, what] of [
      [text, 'text'],
      [page, 'page'],
      [markdown, 'markdown'],
    ] as const) {
      let at = 0;
      for (const row of rows) {
        const found = shown.indexOf(row, at);
        expect([what, row, found >= 0]).toEqual([what, row, true]);
        at = found;
      }
    }
  });

  test.each([60, 80, 120])('fits a terminal of %i columns', (width) => {
    // A table of many numbers is as wide as they are.
    const most = name === 'capacity' || width === 60 ? Math.max(width, 80) : width;
    for (const line of documentText(document, width).split('\n')) expect(line.length, line).toBeLessThanOrEqual(most);
  });

  test('uses the room that there is', () => {
    const lines = (width: number): number => documentText(document, width).split('\n').length;
    expect(lines(120)).toBeLessThanOrEqual(lines(80));
  });

  test('makes no markup of a name, and links only to sections that are there', () => {
    const page = pageOf(document);
    expect(page).not.toContain('<b>');
    expect(textOf(page)).toContain(HOSTILE_NAME);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(links));
    for (const tag of ['section', 'div', 'table', 'figure', 'svg', 'tr', 'td']) {
      const count = (pattern: RegExp): number => page.match(pattern)?.length ?? 0;
      expect([tag, count(new RegExp(`<${tag}[ >]`, 'g'))]).toEqual([tag, count(new RegExp(`</${tag}>`, 'g'))]);
    }
  });
});

describe('a document as Markdown', () => {
  const hostile = '</script><b>|x_y*\n# no';
  const document: Document = {
    title: hostile,
    words: '',
    sections: [
      { id: 'empty', title: 'Charts alone', words: '', blocks: [{ kind: 'folded', title: 'all', content: { kind: 'code', text: 'x' } }] },
      {
        id: 'one',
        title: 'One',
        words: 'in all',
        blocks: [
          {
            kind: 'table',
            title: 'By side',
            columns: [{ title: 'side' }, { title: '', bar: 'both' }, { title: 'net', align: 'right' }],
            rows: [['all'], [{ text: hostile, words: 'why' }, '-1', '2']],
          },
          { kind: 'notes', notes: ['first', 'second'] },
        ],
      },
    ],
  };

  test('has a table with its heads, and no text of a run becomes markup or ends a row', () => {
    const text = '\\</script\\>\\<b\\>\\|x\\_y\\*\\\\u000a\\# no';
    expect(documentMarkdown(document)).toBe(
      `# ${text}\n\n## One\n\nin all\n\nBy side\n\n| side | net |\n| --- | --: |\n| all |  |\n| ${text} (why) | 2 |\n\n- first\n- second\n`,
    );
  });
});
