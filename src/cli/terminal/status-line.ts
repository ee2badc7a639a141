/** The status line: one line of the terminal, rewritten about once a second. Not used without a terminal. */
import { grouped } from '../../base/text/figures.ts';
import type { LiveLine, Output, StatusSnapshot, SymbolStatus } from '../../run/setup/options.ts';
import { type Paint, safeText, widthOf } from './terminal.ts';

export class StatusLine implements LiveLine {
  readonly #out: Output;
  readonly #isTty: boolean;
  readonly #paint: Paint;
  #shown = '';
  #previous: StatusSnapshot | null = null;

  constructor(out: Output, isTty: boolean, paint: Paint) {
    this.#out = out;
    this.#isTty = isTty;
    this.#paint = paint;
  }

  /** Rewrites the line. */
  update(snapshot: StatusSnapshot): void {
    if (!this.#isTty) return;
    const width = Math.max(20, widthOf(this.#out) - 1);
    this.#shown = formatStatus(snapshot, this.#previous, width, this.#paint);
    this.#previous = snapshot;
    this.#out.write(`\r\u001b[2K${this.#shown}`);
  }

  /** Writes log lines above the status line, which stays last. Can be used as the sink of a log. */
  write(lines: string): void {
    if (!this.#isTty || this.#shown === '') this.#out.write(lines);
    else this.#out.write(`\r\u001b[2K${lines}${lines.endsWith('\n') ? '' : '\n'}${this.#shown}`);
  }

  /** Ends the line: later output starts below it. */
  end(): void {
    if (this.#shown !== '') this.#out.write('\n');
    this.#shown = '';
  }
}

interface Part {
  readonly text: string;
  readonly colour?: Parameters<Paint>[0] | undefined;
  /** True if a blank, not a dot, separates it from the part before. */
  readonly isJoined?: true;
}

/** What a line says, from everything to the least: words that figures explain, the command that ends a halt, prices. */
const DETAILS = [
  { hasWords: true, hasEnds: true, hasPrices: true },
  { hasWords: false, hasEnds: true, hasPrices: true },
  { hasWords: false, hasEnds: false, hasPrices: true },
  { hasWords: false, hasEnds: false, hasPrices: false },
] as const;
type Detail = (typeof DETAILS)[number];

/**
 * The line as text of at most `width` characters: time, alarms, markets, orders and fills, equity and profit, then how busy it is. Markets
 * share the width that the others leave; "+3 more" stands for those without room. Detail is left out until all but the last fit; then whole
 * parts are dropped from the right.
 */
export function formatStatus(now: StatusSnapshot, before: StatusSnapshot | null, width: number, paint: Paint): string {
  const time = new Date(now.time).toISOString().slice(11, 19);
  const least = DETAILS.length - 1;
  let parts: readonly Part[] = [];
  for (const [k, detail] of DETAILS.entries()) {
    const head = headOf(now, detail);
    const needed = accountOf(now, detail);
    const busy = busyOf(now, before);
    const room = width - time.length - lengthOf([...head, ...needed]);
    const all = marketsThatFit(now.symbols, detail, room - lengthOf(busy));
    // On a narrow terminal markets matter more than rates do.
    const markets = lengthOf(all) <= room - lengthOf(busy) ? all : marketsThatFit(now.symbols, detail, room);
    parts = [...head, ...markets, ...needed, ...busy];
    if (lengthOf(markets) <= room || k === least) break;
  }
  let length = time.length;
  let line = paint('dim', time);
  for (const [place, part] of parts.entries()) {
    const separator = place === 0 ? ' ' : separatorOf(part);
    length += separator.length + part.text.length;
    if (length > width) break;
    line += separator + (part.colour === undefined ? part.text : paint(part.colour, part.text));
  }
  return line;
}

function separatorOf(part: Part): string {
  return part.isJoined === true ? ' ' : ' · ';
}

function headOf(now: StatusSnapshot, { hasEnds }: Detail): Part[] {
  const parts: Part[] = [];
  if (now.phase !== 'armed') parts.push({ text: now.phase, colour: 'yellow' });
  if (now.warmingUp !== undefined) parts.push({ text: safeText(`warming up: ${now.warmingUp}`), colour: 'yellow' });
  if (now.disabled.length > 0) parts.push({ text: safeText(`DISABLED ${now.disabled.join(',')}`), colour: 'red' });
  if (now.halted.length > 0) {
    const ends = now.ends === undefined || !hasEnds ? '' : ` (${now.ends})`;
    parts.push({ text: safeText(`HALTED ${now.halted.join(',')}${ends}`), colour: 'red' });
  }
  if (now.unknown > 0) parts.push({ text: `unknown ${now.unknown}`, colour: 'red' });
  return parts;
}

/** Orders, fills, equity and profit. */
function accountOf({ pnl, placed, orders, fills, equity }: StatusSnapshot, { hasWords }: Detail): Part[] {
  const isLoss = pnl.startsWith('-');
  const known = equity === '' ? '–' : grouped(equity);
  const parts: Part[] = [
    { text: `${orders} open${placed === undefined ? '' : `, ${compact(placed)} placed`}, ${fillsText(fills)}` },
    { text: hasWords || equity === '' ? `equity ${known}` : known },
  ];
  if (pnl !== '') parts.push({ text: `${isLoss ? '' : '+'}${grouped(pnl)}`, colour: isLoss ? 'red' : 'green', isJoined: true });
  return parts;
}

function fillsText(fills: number): string {
  return `${compact(fills)} ${fills === 1 ? 'fill' : 'fills'}`;
}

function busyOf(now: StatusSnapshot, before: StatusSnapshot | null): Part[] {
  const parts: Part[] = [{ text: `polls ${rate(now, before)}/s` }, { text: `requests ${compact(now.requests)}`, isJoined: true }];
  if (now.errors > 0) parts.push({ text: `errors ${now.errors}`, colour: 'yellow' });
  return parts;
}

/** As many markets as fit into `room`, those with a position first, and always at least one. */
function marketsThatFit(symbols: readonly SymbolStatus[], detail: Detail, room: number): Part[] {
  const ordered = [...symbols.filter((s) => !isFlat(s)), ...symbols.filter(isFlat)];
  const parts: Part[] = ordered.map((s) => ({ text: safeText(symbolText(s, detail)), colour: 'bold' }));
  for (let shown = parts.length; shown > 1; shown--) {
    const hidden = parts.length - shown;
    const fitting = hidden === 0 ? parts : [...parts.slice(0, shown), more(hidden)];
    if (lengthOf(fitting) <= room) return fitting;
  }
  return parts.length < 2 ? parts : [...parts.slice(0, 1), more(parts.length - 1)];
}

function more(hidden: number): Part {
  return { text: `+${hidden} more` };
}

/** Total length, with the separator in front of each part. */
function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + separatorOf(part).length + part.text.length, 0);
}

/** "9,999", "123k", "4.5M". */
function compact(count: number): string {
  if (count < 10_000) return grouped(String(count));
  return count < 1_000_000 ? `${Math.floor(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

function symbolText(s: SymbolStatus, { hasPrices }: Detail): string {
  const price = s.bid === '' || s.ask === '' ? ' no quote' : hasPrices ? ` ${s.bid}/${shortAsk(s)}` : '';
  const legs = [isZero(s.long) ? '' : ` long ${s.long}`, isZero(s.short) ? '' : ` short ${s.short}`].join('');
  return `${s.symbol}${price}${legs === '' ? ' flat' : legs}`;
}

/** The ask without the whole part when that is the bid's: "61800.20/.30". */
function shortAsk({ bid, ask }: SymbolStatus): string {
  const point = bid.indexOf('.');
  return point > 0 && ask.startsWith(bid.slice(0, point + 1)) ? ask.slice(point) : ask;
}

function isFlat(s: SymbolStatus): boolean {
  return isZero(s.long) && isZero(s.short);
}

function isZero(size: string): boolean {
  return /^[0.]*$/.test(size);
}

function rate(now: StatusSnapshot, before: StatusSnapshot | null): string {
  const ms = before === null ? 0 : now.time - before.time;
  return before === null || ms <= 0 ? '–' : (((now.polls - before.polls) * 1000) / ms).toFixed(0);
}
