/**
 * The first of the indices `from` … `to − 1` of which `isAt` is true, or `to` if there is none. It must be false up to one index and true from
 * there on, so that half of the rest is left out at each step.
 */
export function firstIndex(from: number, to: number, isAt: (index: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (isAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
