/** The live line: one line of the terminal, rewritten about once a second. Where there is no terminal it does not exist. */
import type { LiveLine, Output, StatusSnapshot, SymbolStatus } from '../run/options.ts';
import { grouped, safeText, type Paint } from './terminal.ts';

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
    const width = Math.max(20, (this.#out.columns ?? 80) - 1);
    this.#shown = formatStatus(snapshot, this.#previous, width, this.#paint);
    this.#previous = snapshot;
    this.#out.write(`\r\u001b[2K${this.#shown}`);
  }

  /** Writes whole lines (a log) above the line, which stays last. Fits where a log wants its sink. */
  write(lines: string): void {
    if (!this.#isTty || this.#shown === '') this.#out.write(lines);
    else this.#out.write(`\r\u001b[2K${lines}${lines.endsWith('\n') ? '' : '\n'}${this.#shown}`);
  }

  /** Leaves the line as it stands and goes on below it. */
  end(): void {
    if (this.#shown !== '') this.#out.write('\n');
    this.#shown = '';
  }
}

/** The line as text of at most `width` characters; what does not fit is left out from the right, whole parts at a time. */
export function formatStatus(now: StatusSnapshot, before: StatusSnapshot | null, width: number, paint: Paint): string {
  const parts: { plain: string; painted: string }[] = [];
  const add = (plain: string, colour?: Parameters<Paint>[0]): void => {
    const text = safeText(plain);
    parts.push({ plain: text, painted: colour === undefined ? text : paint(colour, text) });
  };
  add(new Date(now.time).toISOString().slice(11, 19), 'dim');
  if (now.halted.length > 0) add(`HALTED ${now.halted.join(',')}`, 'red');
  if (now.unknown > 0) add(`unknown ${now.unknown}`, 'red');
  for (const s of now.symbols) add(symbolText(s), 'bold');
  add(`orders ${now.orders}`);
  add(`fills ${now.fills}`);
  add(`equity ${grouped(now.equity)}`);
  add(`pnl ${now.pnl.startsWith('-') ? '' : '+'}${grouped(now.pnl)}`, now.pnl.startsWith('-') ? 'red' : 'green');
  add(`polls ${rate(now, before)}/s`);
  add(`requests ${now.requests}`);
  if (now.errors > 0) add(`errors ${now.errors}`, 'yellow');
  const separator = ' · ';
  let length = 0;
  const kept: string[] = [];
  for (const part of parts) {
    const needed = part.plain.length + (kept.length === 0 ? 0 : separator.length);
    if (length + needed > width) break;
    length += needed;
    kept.push(part.painted);
  }
  return kept.join(separator);
}

function symbolText(s: SymbolStatus): string {
  const price = s.bid === '' || s.ask === '' ? 'no quote' : `${s.bid}/${s.ask}`;
  const last = s.last === '' ? '' : ` last ${s.last}`;
  const isZero = (size: string): boolean => /^[0.]*$/.test(size);
  const legs = [isZero(s.long) ? '' : ` long ${s.long}`, isZero(s.short) ? '' : ` short ${s.short}`].join('');
  return `${s.symbol} ${price}${last}${legs === '' ? ' flat' : legs}`;
}

function rate(now: StatusSnapshot, before: StatusSnapshot | null): string {
  const ms = before === null ? 0 : now.time - before.time;
  return before === null || ms <= 0 ? '–' : (((now.polls - before.polls) * 1000) / ms).toFixed(1);
}
