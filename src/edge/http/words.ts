/** The first words of an answer that is not what the interface describes, for log and status: no markup, nothing hidden, never a whole body. */
import { escapeHidden } from '../../base/hidden.ts';

const WORDS_MAX = 120;
/** Only the beginning is looked at. */
const LOOKED_AT = 20_000;
/** Parts of a page that nobody reads. */
const UNREAD = /<(script|style|head)\b[\s\S]*?(<\/\1\s*>|$)|<!--[\s\S]*?(-->|$)/gi;

/** True for a page of HTML or XML: a gateway or another program answered, not the venue's interface. */
export function isPage(body: string): boolean {
  return /^\s*<[!?a-z]/i.test(body.slice(0, 200));
}

/** True if the text says that the venue is being worked on. */
export function saysMaintenance(text: string): boolean {
  return /maintenance|system (update|upgrade)|being (updated|upgraded)/i.test(text.slice(0, LOOKED_AT));
}

/** `scrub` replaces secrets: before the text is cut, so that no part of one is left. */
export function firstWords(body: string, scrub: (text: string) => string): string {
  const start = scrub(body).slice(0, LOOKED_AT);
  const title = /<title[^>]*>([^<]*)/i.exec(start)?.[1] ?? '';
  const text = isPage(start) ? `${title} ${start.replace(UNREAD, ' ').replace(/<[^>]*(>|$)/g, ' ')}` : start;
  const words = escapeHidden(text.replace(/\s+/g, ' ').trim());
  if (words === '') return 'an empty body';
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words;
}
