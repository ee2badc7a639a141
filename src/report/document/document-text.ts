/** A document as text of a given width: its charts are left out, and what stands side by side on a page stands one below the other. */
import { wrap } from '../../base/text/wrap.ts';
import type { Block, Cell, Document, Fact, Item, Section, Table } from './document.ts';
import { numbers, table, type Column } from './text-table.ts';

const INDENT = '  ';
/** Columns of the names of a list with the blanks after them, at least. */
const NAMES = 19;
/** Cells of a bar of 1. */
const BAR = 40;
/** Explains a row. */
const WORDS: Column = { title: '', flows: true };

/** Texts of strategies and venues are in it as they are: remove control characters before it goes to a terminal. */
export function documentText({ title, words, sections }: Document, width: number): string {
  const head = [...wrap(title, width), ...(words === '' ? [] : wrap(words, width))].join('\n');
  const parts = sections.flatMap((one) => sectionText(one, width));
  // What a title alone is followed by belongs to it.
  const gap = words === '' && sections[0]?.title === '' ? '\n' : '\n\n';
  return `${head}${gap}${parts.join('\n\n')}\n`;
}

/** A section with charts alone is left out. */
function sectionText({ title, words, blocks }: Section, width: number): string[] {
  const parts = blocks.flatMap((one) => blockText(one, width));
  if (parts.length === 0) return [];
  const head = [...(title === '' ? [] : [title, '─'.repeat(title.length)]), ...(words === '' ? [] : paragraph(words, width))];
  // Two sentences of different kind are kept apart.
  const isApart = words !== '' && blocks[0]?.kind === 'sentence';
  return [[...head, ...(isApart ? [''] : []), parts.join('\n\n')].join('\n')];
}

function blockText(block: Block, width: number): string[] {
  switch (block.kind) {
    case 'sentence':
      return [paragraph(block.text, width).join('\n')];
    case 'notes':
      return [block.notes.flatMap((note) => wrap(note, width, `${INDENT}• `, `${INDENT}  `)).join('\n')];
    case 'list':
      return [listText(block.items, width)];
    case 'facts':
      return [factsText(block.facts, width)];
    case 'table':
      return block.rows.length === 0 ? [] : [tableText(block, width)];
    case 'beside':
    case 'group':
      return block.blocks.flatMap((one) => blockText(one, width));
    case 'either':
      return blockText(block.text, width);
    case 'chart':
    case 'folded':
      return [];
  }
}

function paragraph(text: string, width: number): string[] {
  return wrap(text, width, INDENT);
}

/** The values of all short lists of a document begin in the same column. */
function listText(items: readonly Item[], width: number): string {
  const room = Math.max(NAMES, ...items.map(([name]) => name.length + 2));
  const next = INDENT + ' '.repeat(room);
  return items.flatMap(([name, value]) => wrap(value, width, INDENT + name.padEnd(room), next)).join('\n');
}

function factsText(facts: readonly Fact[], width: number): string {
  const columns = [{ title: '' }, numbers(''), WORDS];
  return indented(
    columns,
    facts.map(({ title, figure, words }) => [title, figure.text, words]),
    width,
  );
}

function tableText({ title = '', words = '', columns: all, rows: whole }: Table, width: number): string {
  // A column of bars that go both ways has no text.
  const columns = all.filter(({ bar }) => bar !== 'both');
  const rows = whole.map((row) => row.filter((_, k) => all[k]?.bar !== 'both'));
  const head = [title, words].filter((part) => part !== '').join(': ');
  const notes = rows.map((row) => row.flatMap((cell) => (typeof cell === 'string' ? [] : (cell.words ?? []))).join('; '));
  const hasNotes = notes.some((note) => note !== '');
  const cells = rows.map((row, k) => [
    ...row.map((cell, c) => cellText(cell, columns[c]?.bar === 'left')),
    ...(hasNotes ? [notes[k]!] : []),
  ]);
  const shown = hasNotes ? [...columns, WORDS] : columns;
  return [...(head === '' ? [] : paragraph(head, width)), indented(shown, cells, width)].join('\n');
}

function cellText(cell: Cell, isBar: boolean): string {
  if (isBar) return '█'.repeat(Math.round(Number(typeof cell === 'string' ? cell : cell.value) * BAR));
  return typeof cell === 'string' ? cell : cell.text;
}

/** A table that has no room beside the indent begins at the edge. One that is wider still has one blank between columns. */
function indented(columns: Table['columns'], rows: readonly (readonly string[])[], width: number): string {
  const linesOf = (gap: string): string[] =>
    table(columns, rows, width - INDENT.length, gap)
      .trimEnd()
      .split('\n');
  const lines = linesOf('  ');
  const widest = Math.max(...lines.map((line) => line.length));
  if (widest > width) return linesOf(' ').join('\n');
  return (widest > width - INDENT.length ? lines : lines.map((line) => INDENT + line)).join('\n');
}
