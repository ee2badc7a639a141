/** A share in percent with all its digits, as a sentence says it: 0.0001 → "0.01 %". */
export function exactPercent(share: number): string {
  return `${Number((share * 100).toPrecision(8))} %`;
}
