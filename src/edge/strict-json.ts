/**
 * JSON that decides about money is read strictly: `{"code":"40011","code":"00000"}` means two things, so a reply to a write
 * with a key said twice in one object, or nested deeper than any reply is, counts as no reply at all.
 */

/** Deepest nesting taken. */
export const MAX_DEPTH = 64;

/** The value of `text`, or null with a reason when it is not JSON, too deep, or says a key twice. */
export function parseStrict(text: string): { value: unknown } | { error: string } {
  const flaw = findFlaw(text);
  if (flaw !== null) return { error: flaw };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { error: 'not-json' };
  }
}

/**
 * One pass over the characters, before the parser: it follows strings and brackets only, so on text that is not JSON it may
 * find nothing, and the parser refuses that text.
 */
function findFlaw(text: string): string | null {
  const keys: (Set<string> | null)[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 123 || c === 91) {
      if (keys.length === MAX_DEPTH) return 'too-deep';
      keys.push(c === 123 ? new Set() : null);
    } else if (c === 125 || c === 93) {
      keys.pop();
    } else if (c === 34) {
      const end = endOfString(text, i);
      if (end < 0) return 'not-json';
      const seen = keys.at(-1);
      if (seen !== undefined && seen !== null && isKey(text, end + 1)) {
        const key = readKey(text.slice(i, end + 1));
        if (key === null) return 'not-json';
        if (seen.has(key)) return 'duplicate-key';
        seen.add(key);
      }
      i = end;
    }
  }
  return null;
}

/** Index of the closing quote of the string that opens at `start`, or −1. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) return i;
    if (c === 92) i++;
  }
  return -1;
}

/** Whether a colon follows, past white space: then the string before is a key. */
function isKey(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 58) return true;
    if (c !== 32 && c !== 9 && c !== 10 && c !== 13) return false;
  }
  return false;
}

/** The key itself: "\u0063ode" and "code" are one. */
function readKey(quoted: string): string | null {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}
