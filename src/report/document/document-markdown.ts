/** A document as Markdown, for a message or a repository: charts are left out, and what a page folds is left out too. */
import { escapeHidden } from '../../base/hidden.ts';
import type { Block, Cell, Document, Section, Table } from './document.ts';

/** Texts of strategies and venues are in it escaped: none becomes markup. Figures are rounded as on the page. */
export function documentMarkdown({ title, words, sections }: Document): string {
  return `${[`# ${inMarkdown(title)}`, ...paragraph(words), ...sections.flatMap(sectionParts)].join('\n\n')}\n`;
}

function sectionParts({ title, words, blocks }: Section): string[] {
  const parts = blocks.flatMap(blockParts);
  if (parts.length === 0) return [];
  return [...(title === '' ? [] : [`## ${inMarkdown(title)}`]), ...paragraph(words), ...parts];
}

function paragraph(text: string): string[] {
  return text === '' ? [] : [inMarkdown(text)];
}

function blockParts(block: Block): string[] {
  switch (block.kind) {
    case 'sentence':
      return paragraph(block.text);
    case 'notes':
      return [block.notes.map((note) => `- ${inMarkdown(note)}`).join('\n')];
    case 'list':
      return [tableOf({ columns: [{ title: '' }, { title: '' }], rows: block.items })];
    case 'facts':
      return [
        tableOf({
          columns: [{ title: '' }, { title: '', align: 'right' }, { title: '' }],
          rows: block.facts.map(({ title, figure, words }) => [title, figure, words]),
        }),
      ];
    case 'table':
      return [...paragraph([block.title ?? '', block.words ?? ''].filter((part) => part !== '').join(': ')), tableOf(block)];
    case 'beside':
    case 'group':
      return block.blocks.flatMap(blockParts);
    case 'either':
      return blockParts(block.text);
    case 'chart':
    case 'folded':
      return [];
  }
}

/** Columns of bars are left out: the figures beside them say the same. */
function tableOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const shown = columns.map((_, k) => k).filter((k) => columns[k]!.bar === undefined);
  const line = (cells: readonly string[]): string => `| ${shown.map((k) => cells[k] ?? '').join(' | ')} |`;
  return [
    line(columns.map(({ title }) => inMarkdown(title))),
    line(columns.map(({ align }) => (align === 'right' ? '--:' : '---'))),
    ...rows.map((row) => line(row.map(cellText))),
  ].join('\n');
}

function cellText(cell: Cell): string {
  if (typeof cell === 'string') return inMarkdown(cell);
  return inMarkdown(cell.words === undefined ? cell.text : `${cell.text} (${cell.words})`);
}

function inMarkdown(text: string): string {
  return escapeHidden(text).replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&');
}
