/** The reasons why a row of a recording is not on the tape. */
export const DROP_REASONS = {
  'duplicate-id': 'a trade whose id was just seen',
  overlap: 'a row from before the end of the file before',
  'duplicate-time': 'a bar that was there already',
  'zero-price': 'a price of zero',
  'zero-size': 'a size of zero',
  negative: 'a price or size below zero',
  'empty-cell': 'a cell without a value',
  crossed: 'a bid above its ask',
  locked: 'a bid at its ask',
  'impossible-bar': 'a high below, or a low above, another price of the bar',
  incomplete: 'the last bar, which had not ended when the file was written',
  'header-again': 'a header between rows',
  unchanged: 'a funding rate or mark price as before',
  outlier: 'a price far from those around it (--clean)',
} as const;

export type DropReason = keyof typeof DROP_REASONS;
export type Drops = Readonly<Partial<Record<DropReason, number>>>;

export function addUp(counts: readonly Drops[]): Drops {
  const total: Partial<Record<DropReason, number>> = {};
  for (const count of counts) {
    for (const [reason, rows] of Object.entries(count) as [DropReason, number][]) total[reason] = (total[reason] ?? 0) + rows;
  }
  return total;
}
