/** The version of Node.js, and the versions that have the security fixes needed for live trading. */

export const OLDEST_NODE = '22.19.0';

/** First versions with the fixes of 2026-10-21 (out-of-bounds write in Brotli, TLS host names, DNS NUL bytes), by release line. */
const PATCHED: Readonly<Record<number, string>> = { 22: '22.23.4', 24: '24.22.1', 26: '26.12.1' };

/** "24.22.1, 26.12.1 or newer": what to install to trade live. */
export const PATCHED_NODES = `${Object.values(PATCHED).join(', ')} or newer`;

/** True if version `a` ("26.10.0") is at least `b`. */
export function isAtLeast(a: string, b: string): boolean {
  const [x, y] = [a, b].map((v) => v.split('.').map((part) => Number.parseInt(part, 10)));
  for (let i = 0; i < 3; i++) {
    const difference = (x?.[i] ?? 0) - (y?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** True if `version` has the fixes. Odd release lines between two of the table ended before them. */
export function isPatchedNode(version: string): boolean {
  const major = Number.parseInt(version, 10);
  const first = PATCHED[major];
  return first === undefined ? major > 26 : isAtLeast(version, first);
}
