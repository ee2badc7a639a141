/** A figure of a search in a table: percent for a share, "–" for none. */
import { unitText } from '../../report/document/figures.ts';
import { unitOf } from '../../report/research/search-figures.ts';

export const figureCell = (name: string, value: number | null | undefined): string => unitText(unitOf(name), value);
