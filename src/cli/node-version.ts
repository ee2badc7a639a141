/** Which Node.js runs this program, and which of them carry the security fixes that live trading wants. */

export const OLDEST_NODE = '24.15.0';

/** Whether version `a` ("26.10.0") is at least `b`. */
export function isAtLeast(a: string, b: string): boolean {
  const [x, y] = [a, b].map((v) => v.split('.').map((part) => Number.parseInt(part, 10)));
  for (let i = 0; i < 3; i++) {
    const difference = (x?.[i] ?? 0) - (y?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Whether `version` has the fixes of 2026-10-21 (out-of-bounds write in Brotli, TLS host names, DNS NUL bytes). */
export function isPatchedNode(version: string): boolean {
  const major = Number.parseInt(version, 10);
  if (major === 24) return isAtLeast(version, '24.22.1');
  return isAtLeast(version, '26.12.1');
}
