/**
 * Charts as markup: SVG that fills whatever width it has, without a script. Places are shares of the plot from 0 to 1, y upwards. Texts and
 * dots keep their size; lines and areas are stretched, and their strokes are not.
 */
import { html, Markup } from '../markup.ts';

export interface Tick {
  /** Place on the axis from 0 to 1. */
  readonly at: number;
  readonly text: string;
}

export interface Axis {
  readonly title?: string;
  readonly ticks: readonly Tick[];
}

export interface PlotOptions {
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: readonly Markup[];
  /** Read aloud instead of the picture. */
  readonly label: string;
  /** Small plots stand beside others. */
  readonly isSmall?: boolean;
}

/** A plot with its axes: grid lines at the ticks of y, the marks above them. */
export function plot({ x, y, marks, label, isSmall = false }: PlotOptions): Markup {
  const rows = y.ticks.map(
    ({ at, text }) =>
      html`<line class="grid" x2="100%" y1="${down(at)}" y2="${down(at)}" /><text class="side" x="-7" y="${down(at)}">${text}</text>`,
  );
  const columns = x.ticks.map(({ at, text }, k) => {
    // The last text ends at the edge, so on a narrow screen it needs the room of the one before it.
    const next = x.ticks[k + 1]?.at ?? 0;
    const end = at < 0.04 ? 'first' : at > 0.96 ? 'last' : next > 0.96 && next - at < 0.2 ? 'tight' : 'middle';
    return html`<text class="${end}" x="${percent(at)}" y="100%" dy="16">${text}</text>`;
  });
  const xTitle = x.title === undefined ? null : html`<text class="title" x="100%" y="100%" dy="31">${x.title} →</text>`;
  const yTitle = y.title === undefined ? null : html`<text class="up-title" x="0" y="-8">↑ ${y.title}</text>`;
  return html`<div class="plot${isSmall ? ' small' : ''}">
    <svg role="img" aria-label="${label}">${rows}${columns}${xTitle}${yTitle}${marks}</svg>
  </div>`;
}

/** A place on a plot: x, y. */
export type Place = readonly [number, number];

/** A line through places; `tone` is a class that colours it. */
export function line(places: readonly Place[], tone: string): Markup {
  return places.length < 2 ? html`` : stretched(`<path class="line ${tone}" d="${pathOf(places)}"/>`);
}

/** Many lines of one colour. */
export function lines(all: readonly (readonly Place[])[], tone: string): Markup {
  const d = all
    .filter((places) => places.length > 1)
    .map(pathOf)
    .join('');
  return d === '' ? html`` : stretched(`<path class="line ${tone}" d="${d}"/>`);
}

/** The area between two lines of equal length. */
export function band(low: readonly Place[], high: readonly Place[], tone: string): Markup {
  return low.length < 2 ? html`` : stretched(`<path class="band ${tone}" d="${pathOf([...low, ...high.toReversed()])}Z"/>`);
}

/** A line that keeps its value until the next place. */
export function steps(places: readonly Place[], tone: string): Markup {
  const all = places.flatMap(([x, y], k): Place[] => {
    const before = places[k - 1];
    return before === undefined
      ? [[x, y]]
      : [
          [x, before[1]],
          [x, y],
        ];
  });
  return line(all, tone);
}

/** A dot with a text for the mouse and for readers; none without a text. */
export function dot([x, y]: Place, tone: string, text = ''): Markup {
  const title = text === '' ? null : html`<title>${text}</title>`;
  return html`<circle class="dot ${tone}" cx="${percent(x)}" cy="${down(y)}" r="3">${title}</circle>`;
}

/** A rectangle between two corners, with a text for the mouse. */
export function box([x, y]: Place, [right, top]: Place, tone: string, text: string): Markup {
  return html`<rect class="${tone}" x="${percent(x)}" y="${down(top)}" width="${percent(right - x)}" height="${percent(top - y)}">
    <title>${text}</title>
  </rect>`;
}

/** A straight line from edge to edge: at a height, or at a place of x. */
export function ruleAt(side: 'x' | 'y', at: number, tone: string): Markup {
  return side === 'y'
    ? html`<line class="rule ${tone}" x2="100%" y1="${down(at)}" y2="${down(at)}" />`
    : html`<line class="rule ${tone}" y2="100%" x1="${percent(at)}" x2="${percent(at)}" />`;
}

/** Coloured squares of a grid of `size` × `size`: `levels` has the class of each, row by row from the bottom, "" for none. */
export function mosaic(levels: readonly string[], size: number): Markup {
  const runs = new Map<string, string>();
  for (let row = 0; row < size; row++) {
    for (let from = 0; from < size;) {
      const tone = levels[row * size + from]!;
      let to = from + 1;
      while (to < size && levels[row * size + to] === tone) to++;
      if (tone !== '') runs.set(tone, `${runs.get(tone) ?? ''}M${from} ${size - 1 - row}h${to - from}v1h${from - to}z`);
      from = to;
    }
  }
  const paths = [...runs].map(([tone, d]) => `<path class="${tone}" d="${d}"/>`).join('');
  return new Markup(`<svg viewBox="0 0 ${size} ${size}" preserveAspectRatio="none" shape-rendering="crispEdges">${paths}</svg>`);
}

/** Side of the square in which stretched marks are drawn. */
const SIDE = 1000;

function stretched(marks: string): Markup {
  return new Markup(`<svg viewBox="0 0 ${SIDE} ${SIDE}" preserveAspectRatio="none">${marks}</svg>`);
}

const digits = (value: number): string => String(Math.round(value * 10) / 10);

function pathOf(places: readonly Place[]): string {
  return places.map(([x, y], k) => `${k === 0 ? 'M' : 'L'}${digits(x * SIDE)} ${digits((1 - y) * SIDE)}`).join('');
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

function down(share: number): string {
  return percent(1 - share);
}
