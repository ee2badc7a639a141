/**
 * A result for people, made once: sections of sentences, notes, figures, tables and charts. It is shown as text (document-text.ts), as a page
 * (document-page.ts) and as Markdown (document-markdown.ts), so all have the same figures. Programs read the JSON of the result instead.
 */
import type { Markup } from '../html/markup.ts';
import type { Column } from './text-table.ts';

/**
 * The look of a figure on a page: a profit or something good, a loss or something bad, a doubt, an aside, a part of what stands above it, or
 * what differs from another run.
 */
export type Tone = 'up' | 'down' | 'warn' | 'soft' | 'part' | 'differs' | '';

/** A figure as it is shown. */
export interface Figure {
  readonly text: string;
  /** As the JSON has it; absent for what is not in the JSON. */
  readonly value?: string | number | null;
  /** Where the JSON has it; tests and other programs find it on a page by this. */
  readonly key?: string;
  readonly tone?: Tone;
  /** Explains the row that it stands in. */
  readonly words?: string;
  /** How strongly a page shades it, from −1 to 1: the cells of a heat map. */
  readonly shade?: number;
}

export type Cell = string | Figure;

/** A name and its value. */
export type Item = readonly [name: string, value: string];

/** A figure that matters, with a few words on it. */
export interface Fact {
  readonly title: string;
  readonly figure: Figure;
  readonly words: string;
  /** The same of another run; pages only. */
  readonly beside?: string;
}

export interface TableColumn extends Column {
  /** Its cells are shares, drawn as bars: from the left, from 0 to 1; or with `both` from the middle, from −1 to 1. */
  readonly bar?: 'left' | 'both';
  /** A page cuts off texts that are too long for a column, and shows them whole under the pointer. */
  readonly clips?: true;
}

/** A row of one cell in a table of several columns is the heading of the rows below it. */
export type Row = readonly Cell[];

export interface Table {
  readonly kind: 'table';
  /** Above the table; "" for none. */
  readonly title?: string;
  readonly words?: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly Row[];
  /** The reader of a page may sort the rows: by `value` of a column, or by its text. */
  readonly isSortable?: true;
}

/** Shown on pages only. */
export interface Chart {
  readonly kind: 'chart';
  readonly title: string;
  readonly words: string;
  readonly draw: () => Markup;
}

export type Block =
  | { readonly kind: 'sentence'; readonly text: string }
  | { readonly kind: 'notes'; readonly notes: readonly string[] }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | Table
  | Chart
  /** What most readers pass over: a page shows its title, and the rest when it is opened. A terminal leaves it out. */
  | { readonly kind: 'folded'; readonly title: string; readonly content: Table | { readonly kind: 'code'; readonly text: string } }
  /** The same figures in two forms: one for a page, which has the room, one for text and Markdown. */
  | { readonly kind: 'either'; readonly page: Block; readonly text: Block }
  /** Blocks that stand one below the other in a place of "beside". */
  | { readonly kind: 'group'; readonly blocks: readonly Block[] }
  /** Blocks that stand beside each other on a page: two or three in a row, or as many as have room. */
  | { readonly kind: 'beside'; readonly look: 'two' | 'three' | 'many'; readonly blocks: readonly Block[] };

export interface Section {
  /** Anchor on the page. */
  readonly id: string;
  /** In the list of sections of the page; absent to leave it out there. */
  readonly link?: string;
  /** "" for none. */
  readonly title: string;
  readonly words: string;
  readonly blocks: readonly Block[];
  /** A page shows it beside the next section or the one before, which says the same. */
  readonly isHalf?: true;
  /** The section begins with a verdict on the result. */
  readonly verdict?: 'good' | 'doubtful';
}

export interface Document {
  readonly title: string;
  /** What was run, and on what. */
  readonly words: string;
  readonly sections: readonly Section[];
}

/** The section of warnings, which stands first; none without notes. */
export function notesSection(notes: readonly string[]): Section[] {
  if (notes.length === 0) return [];
  return [{ id: 'notes', link: 'Read first', title: 'Read this before you believe it', words: '', blocks: [{ kind: 'notes', notes }] }];
}

/** A sentence of its own. */
export const sentence = (text: string): Block => ({ kind: 'sentence', text });
