/** A document as a page. Its charts are drawn as markup, so it needs no script. */
import { barOf, signedBarOf } from '../html/bar-cells.ts';
import { headingOf, navigationOf, notesMarkup, pageFileOf, type HashOf, type Link, type PageFiles } from '../html/page-file.ts';
import { captioned, html, type Markup } from '../html/markup.ts';
import { type Head, scrolling, sortableTableOf, tableOf } from '../html/html-table.ts';
import type { Block, Cell, Document, Fact, Row, Section, Table, TableColumn } from './document.ts';

export function documentPage({ title, words, sections }: Document, files: PageFiles, hashOf: HashOf): string {
  const body = html`${headingOf(title, words)} ${navigationOf(linksOf(sections))} ${sectionsMarkup(sections)}
    <footer><p>Made by Tickwright. The file loads nothing from anywhere and has no script.</p></footer>`;
  return pageFileOf({ title, body, files, hashOf });
}

/** For the navigation: the sections with a link. */
export function linksOf(sections: readonly Section[]): readonly Link[] {
  return sections.flatMap(({ id, link }) => (link === undefined ? [] : [[id, link] as const]));
}

/** Two halves in a row stand beside each other. */
export function sectionsMarkup(sections: readonly Section[]): Markup[] {
  const shown: Markup[] = [];
  for (let k = 0; k < sections.length; k++) {
    const [one, next] = [sections[k]!, sections[k + 1]];
    if (one.isHalf !== true || next?.isHalf !== true) shown.push(sectionMarkup(one));
    else {
      shown.push(html`<div class="two">${sectionMarkup(one)} ${sectionMarkup(next)}</div> `);
      k++;
    }
  }
  return shown;
}

/** A section is a card; its facts are tiles in a card below it. */
export function sectionMarkup({ id, title, words, blocks, verdict }: Section): Markup {
  const [first] = blocks;
  if (first?.kind === 'notes') return notesMarkup([{ title: '', notes: first.notes.map((note) => html`<li>${note}</li> `) }], words);
  const facts = blocks.flatMap((one) => (one.kind === 'facts' ? one.facts : []));
  const others = blocks.filter(({ kind }) => kind !== 'facts');
  const head =
    title === ''
      ? null
      : html`<div class="head">
          <h2>${title}</h2>
          <p>${words}</p>
        </div>`;
  const look = verdict === undefined ? 'card' : `card verdict ${verdict}`;
  if (facts.length === 0) return html`<section id="${id}" class="${look}">${head} ${others.map(blockMarkup)}</section> `;
  const card = head === null && others.length === 0 ? null : html`<div class="${look}">${head} ${others.map(blockMarkup)}</div>`;
  return html`<section id="${id}">${card} ${tilesMarkup(facts)}</section> `;
}

/** Figures that matter most, one beside the other. */
function tilesMarkup(facts: readonly Fact[]): Markup {
  const cells = facts.map(({ title, figure: { text, value = null, key = '', tone = '' }, words, beside }) => {
    const look = text.startsWith('too few') ? `text ${tone}` : tone;
    return html`<div>
      <dt>${title}</dt>
      <dd class="${look}" data-key="${key}" data-value="${String(value)}">
        ${text}<small>${words}</small>${beside === undefined ? null : html`<small>${beside}</small>`}
      </dd>
    </div> `;
  });
  return html`<dl class="card tiles">${cells}</dl>`;
}

export function blockMarkup(block: Block): Markup {
  switch (block.kind) {
    case 'sentence':
      return html`<p class="sentence">${block.text}</p>`;
    case 'table':
      return tableMarkup(block);
    case 'chart':
      return captioned(block.title, block.words, block.draw());
    case 'beside':
      return html`<div class="${block.look}">${block.blocks.map(blockMarkup)}</div>`;
    case 'group':
      return html`<div>${block.blocks.map(blockMarkup)}</div>`;
    case 'either':
      return blockMarkup(block.page);
    case 'folded':
      return html`<details>
        <summary class="soft">${block.title}</summary>
        ${block.content.kind === 'table' ? tableMarkup(block.content) : html`<pre>${block.content.text}</pre>`}
      </details>`;
    case 'notes':
      return html`<ul>
        ${block.notes.map((note) => html`<li>${note}</li>`)}
      </ul>`;
    case 'list':
      return tableMarkup({ kind: 'table', columns: [{ title: '' }, { title: '' }], rows: block.items });
    case 'facts':
      return tilesMarkup(block.facts);
  }
}

function tableMarkup({ title = '', words = '', columns, rows, isSortable }: Table): Markup {
  const bar = columns.findIndex((column) => column.bar === 'left');
  const most = rows.reduce((longest, row) => Math.max(longest, row[bar] === undefined ? 0 : barValue(row[bar])), 1e-9);
  const body = rows.map((row) => rowMarkup(row, columns, most));
  const heads = columns.map(({ title: head, align }): Head => (align === 'right' ? [head] : head));
  const look = lookOf({ columns, rows });
  const content = columns.every(({ title: head }) => head === '')
    ? html`<table class="${look}">
        <tbody>
          ${body}
        </tbody>
      </table>`
    : scrolling(heads, isSortable === true ? sortableTableOf(heads, body) : tableOf(heads, body, look));
  return captioned(title, words, content);
}

/** `most` is the longest bar of the table. */
function rowMarkup(row: Row, columns: readonly TableColumn[], most: number): Markup {
  const [first] = row;
  if (row.length === 1 && columns.length > 1 && typeof first === 'string') {
    return html`<tr class="group">
      <th colspan="${columns.length}">${first}</th>
    </tr> `;
  }
  return html`<tr>
    ${row.map((cell, k) => cellMarkup(cell, columns[k]!, most))}
  </tr> `;
}

/** The class of a heat map, whose rows may have long names, or of a table whose rows are explained. */
function lookOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const figures = rows.flatMap((row) => row.filter((cell) => typeof cell !== 'string'));
  if (figures.some(({ shade }) => shade !== undefined)) return columns[0]?.flows === true ? 'heat names' : 'heat';
  return figures.some(({ words }) => words !== undefined) ? 'readings' : '';
}

const barValue = (cell: Cell): number => Number(typeof cell === 'string' ? cell : cell.value);

function cellMarkup(cell: Cell, { align, bar, clips, flows }: TableColumn, most: number): Markup {
  if (bar === 'both') return html`<td class="bars">${signedBarOf(barValue(cell))}</td>`;
  if (bar === 'left') {
    const isDown = typeof cell !== 'string' && cell.tone === 'down';
    return html`<td class="bars">${barOf(barValue(cell) / most, isDown ? 'down' : 'accent')}</td>`;
  }
  const side = align === 'right' ? 'n' : clips === true ? 'words' : flows === true ? 'flows' : '';
  if (typeof cell === 'string')
    return html`<td${look(side)}${clips === true && cell.length > UNCLIPPED ? html` title="${cell}"` : null}>${cell}</td>`;
  const { text, value, key, tone = '', words, shade } = cell;
  const small = words === undefined ? null : html`<small>${words}</small>`;
  if (shade !== undefined)
    return value === null ? html`<td class="none">${text}</td>` : heatCell(Number(value), shade, html`${text}${small}`);
  // The script that sorts takes the text where it is the value.
  const isText = value === undefined || (key === undefined && String(value) === text);
  const data = isText ? null : html` data-value="${String(value)}"`;
  return html`<td${look(`${side} ${tone}`.trim())}${key === undefined ? null : html` data-key="${key}"`}${data}>${text}${small}</td>`;
}

/** A text of so many signs fits into a column that cuts off longer ones. */
const UNCLIPPED = 24;

const look = (classes: string): Markup | null => (classes === '' ? null : html` class="${classes}"`);

/** `share` from −1 to 1 chooses one of four shades up or down; 0 has none. */
function heatCell(value: number, share: number, text: Markup): Markup {
  const level = Math.ceil(Math.abs(share) * 4);
  const tone = level === 0 ? 'h0' : `${share > 0 ? 'u' : 'd'}${level}`;
  return html`<td class="${tone}" data-value="${value}">${text}</td>`;
}
