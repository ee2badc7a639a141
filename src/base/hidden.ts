/**
 * Characters that do not show, or that change how text around them shows: control and format characters, direction overrides, line and
 * paragraph separators, and everything that a reader may leave out. Text of a venue, a strategy or a person is printed without them.
 */

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** The same without line feed and tab, for text of several lines. */
const HIDDEN_IN_LINES = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Replaces them by \u escapes. */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}

/** The same for text of several lines, which keeps its line ends and tabs. For finished JSON too: the escapes mean the same characters. */
export function escapeHiddenInLines(text: string): string {
  return text.replace(HIDDEN_IN_LINES, escapeOf);
}

/** Replaces them by a dot in text of several lines. */
export function dotHiddenInLines(text: string): string {
  return text.replace(HIDDEN_IN_LINES, '·');
}

/** A value as one line of JSON that shows every character of it. */
export function shownJson(value: unknown): string {
  return escapeHiddenInLines(JSON.stringify(value));
}

/** One escape for each UTF-16 unit, as JSON has them. */
function escapeOf(character: string): string {
  let out = '';
  for (let k = 0; k < character.length; k++) out += `\\u${character.charCodeAt(k).toString(16).padStart(4, '0')}`;
  return out;
}
