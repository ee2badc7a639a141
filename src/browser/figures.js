/** How every page of the program writes figures. Amounts arrive as decimal strings and are cut, never computed. */

/** "1234567.5" → "1 234 567.5", with narrow spaces or another sign between the groups. */
export const grouped = (text, by = '\u202f') => String(text).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, by);
/** With a minus sign as wide as a plus. */
export const minus = (text) => text.replace(/^-/, '\u2212');
/** Cuts a number to at most this many decimals, without rounding. */
export const cut = (text, decimals) => grouped(text.replace(new RegExp(`(\\.\\d{${decimals}})\\d+$`), '$1'));
export const money = (text) => (text === '' ? '' : minus(cut(text, 2)));
const isTiny = (text) => Math.abs(Number(text)) < 0.01;
export const signed = (text) => (isTiny(text) ? '0.00' : Number(text) > 0 ? `+${money(text)}` : money(text));
export const percent = (text) => (Number(text) > 0 ? `+${text}` : minus(text));
/** "up", "down" or "": the class of a gain or a loss. */
export const trend = (text) => (isTiny(text) ? '' : Number(text) > 0 ? 'up' : 'down');
/** Time and day in UTC. */
export const clock = (ms) => new Date(ms).toISOString().slice(11, 19);
export const date = (ms) => new Date(ms).toISOString().slice(0, 10);

/** "4 s", "3 min 5 s", "2 h 10 min". */
export function span(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return s < 86_400
    ? `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`
    : `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`;
}

const SCALE = 8;

/** The exact sum of decimal strings of at most 8 decimals, rounded away from zero. */
export function sum(texts, decimals = 2) {
  let total = 0n;
  for (const text of texts) {
    const [whole = '0', part = ''] = text.replace('-', '').split('.');
    const units = BigInt(whole + part.slice(0, SCALE).padEnd(SCALE, '0'));
    total += text.startsWith('-') ? -units : units;
  }
  const unit = 10n ** BigInt(SCALE - decimals);
  const size = total < 0n ? -total : total;
  const digits = String((size + unit - 1n) / unit).padStart(decimals + 1, '0');
  const whole = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return total < 0n ? `-${whole}` : whole;
}

/** Bytes as a person reads them. */
export const bytes = (count) => (count < 1e6 ? `${Math.round(count / 1e3)} kB` : `${(count / 1e6).toFixed(1)} MB`);
