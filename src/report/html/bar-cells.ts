/** Bars in the cells of tables. */
import { Markup } from './markup.ts';

/** A bar from the left; `share` from 0 to 1, `tone` a class that colours it. */
export function barOf(share: number, tone: string): Markup {
  return drawn(`<rect class="${tone}" width="${(100 * share).toFixed(2)}" height="8"/>`);
}

/** A bar from the middle to the left for a loss, to the right for a profit; `share` from -1 to 1. */
export function signedBarOf(share: number): Markup {
  const width = Math.min(50, Math.abs(share) * 50);
  const x = share < 0 ? 50 - width : 50;
  const tone = share < 0 ? 'down' : 'up';
  return drawn(
    `<rect class="back" x="49.7" width="0.6" height="8"/><rect class="${tone}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`,
  );
}

function drawn(marks: string): Markup {
  return new Markup(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${marks}</svg>`);
}
