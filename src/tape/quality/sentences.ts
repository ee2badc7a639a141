/** The problems of a tape in sentences: printed by the import and `tape info`, and noted in each report. */
import type { Manifest } from '../file/manifest.ts';
import type { Quality } from '../file/data-quality.ts';

/** Below, the grid of a symbol may be an accident. */
const FEW_ROWS = 1000;

/** One sentence for each finding; none where the tape was not imported by this version. */
export function qualitySentences({ quality = [], symbols, recording }: Pick<Manifest, 'quality' | 'symbols' | 'recording'>): string[] {
  const told = quality.flatMap((one) => [
    ...skewOf(one),
    ...outliersOf(one),
    ...missingOf(one),
    ...cleanedOf(one),
    ...gridOf(one, symbols),
  ]);
  return [...told, ...restartsOf(recording)];
}

/** A venue whose trade ids begin again is another one, or was reset: prices before and after have nothing to do with each other. */
function restartsOf(recording: Manifest['recording']): string[] {
  const restarts = (recording?.gaps ?? []).filter(({ cause }) => cause === 'ids-restarted');
  return restarts.map(({ symbol, to }) => {
    const time = new Date(to).toISOString();
    return `${symbol}: from ${time} on the recording shows another market: the ids of trades began again, as those of a new or reset exchange do; record each into a folder of its own, or separate them with tape cut --from ${time}.`;
  });
}

function skewOf({ symbol, skew }: Quality): string[] {
  if (skew === null || !skew.isClear) return [];
  const { atTouch, atTouchShifted, shiftMs } = skew;
  return [
    `${symbol}: the clocks of trades and book differ: ${percent(atTouch)} of the trades are at the touch, ${percent(atTouchShifted)} when trades are moved by ${shiftMs} ms; import again with --clean or --shift trades=${shiftMs}.`,
  ];
}

function outliersOf({ symbol, outliers, cleaned }: Quality): string[] {
  if (cleaned.some(({ what }) => what === 'outliers-left-out')) return [];
  return outliers.map(
    ({ kind, count, time, price, usual }) =>
      `${symbol}: ${count} ${kind === 'bars' ? 'bars' : `prices of ${kind}`} far from those around, the first ${price} at ${new Date(time).toISOString()} where ${usual} was usual; --clean leaves such rows out.`,
  );
}

function missingOf({ symbol, barsMissing }: Quality): string[] {
  return barsMissing > 0 ? [`${symbol}: ${barsMissing} bars are missing between the first and the last.`] : [];
}

function cleanedOf({ symbol, cleaned }: Quality): string[] {
  return cleaned.map((one) =>
    one.what === 'times-moved'
      ? `${symbol}: the import moved the times of ${one.kind} by ${one.shiftMs} ms (--clean).`
      : `${symbol}: the import left out ${one.rows} rows of ${one.kind} as outliers (--clean).`,
  );
}

function gridOf({ symbol, gridRows }: Quality, symbols: Manifest['symbols']): string[] {
  const info = symbols.find((one) => one.symbol === symbol);
  if (info === undefined || gridRows >= FEW_ROWS || gridRows === 0) return [];
  return [`${symbol}: tick and lot rest on ${gridRows} rows only; say the true ones in the file of instruments.`];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
