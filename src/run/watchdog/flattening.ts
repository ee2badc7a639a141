/**
 * Closes what a silent bot has named as its own, until lists show that nothing of it is left. Each close is on the disk before it leaves, under a
 * client id that is used once. A leg gets its next close when it is known what became of the one before: a missing answer is neither yes nor no.
 */
import { assert } from '../../base/failure/assert.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import { SIDES } from '../../domain/codes.ts';
import { formatLots, type Instrument } from '../../domain/instrument.ts';
import { parseClientId, watchdogClientId, watchdogCount } from '../../domain/orders/command.ts';
import { hasEnded, type OrderReport, type PositionReport } from '../../domain/report.ts';
import { hasNotLanded, ownLots } from '../../domain/messages/watchdog.ts';
import type { CloseFate, CloseFill, NamedLeg, WatchdogClose } from '../../domain/messages/watchdog.ts';
import type { ClosingAct, WatchdogCloses } from '../../edge/file/beside/watchdog-closes.ts';
import type { Log } from '../../ports/log.ts';
import type { OpensAtVenue } from './opens-at-venue.ts';
import type { FlatLook, FlatVenue } from './flat-venue.ts';

export interface FlatDeps {
  readonly venue: FlatVenue & Pick<OpensAtVenue, 'cancel'>;
  readonly file: Pick<WatchdogCloses, 'isThere' | 'begin' | 'close' | 'became' | 'read' | 'readAll'>;
  readonly instruments: readonly Instrument[];
  /** Steady milliseconds, and milliseconds since 1970. */
  readonly now: () => number;
  readonly wall: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
  /** Orders and cancels a second. */
  readonly rate: number;
  /** True if the bot advances, or is answerable for its orders again. */
  readonly isOver: () => boolean;
  /** Steady time from which on it is proven that no opening order of the bot is left; Infinity before. */
  readonly clearedAt: () => number;
  /** Called before a close leaves, and for each fate of it; once for each that a watchdog before this one noted. */
  readonly onClose: (close: WatchdogClose, fate: CloseFate | undefined, fill: CloseFill | undefined) => void;
  /** Called for each look: what is left, in words, and why more is not known. */
  readonly onLook: (left: readonly string[], problem: string) => void;
}

export interface FlatTask {
  readonly bot: string;
  readonly epoch: number;
  /** As the bot last named them. Not used if a watchdog before this one has begun: its own are in the file. */
  readonly legs: readonly NamedLeg[];
  readonly horizonMs: number;
  /** How late a list may be. */
  readonly lagMs: number;
}

/** Lists in a row that must show nothing of the bot. */
const LISTS = 2;
/** Complete looks after the horizon that must not show a close before it counts as not landed. */
const ABSENCES = 3;
const LOOK_MS = 250;
/** Longest pause after failures in a row, and between two closes of a leg that the venue refuses. */
const AGAIN_MOST_MS = 5_000;

/** A close of this act. Times are steady milliseconds. */
interface Close extends WatchdogClose {
  fate: CloseFate | undefined;
  readonly sentAt: number;
  /** Since when its fate is known. */
  knownAt: number;
  absences: number;
}

export class Flattening {
  readonly #task: FlatTask;
  readonly #deps: FlatDeps;
  #closes: Close[] = [];
  #legs: readonly NamedLeg[] = [];
  /** Lots that an own opening order has opened, by its client id: those whose end is known. */
  readonly #opened = new Map<string, number>();
  /** By leg: closes in a row that the venue refused, and when the next may follow. */
  readonly #refusals = new Map<number, { count: number; nextAt: number }>();
  readonly #cancelledAt = new Map<string, number>();
  #used = new Map<number, number>();
  #problem = '';

  constructor(task: FlatTask, deps: FlatDeps) {
    this.#task = task;
    this.#deps = deps;
  }

  /** True when nothing of the bot is left, false if the bot took over before. @throws Error of node:fs if the closes cannot be noted */
  async run(): Promise<boolean> {
    const { isOver, pause } = this.#deps;
    this.#begin();
    let [flat, failures] = [0, 0];
    while (!isOver() && this.#deps.file.isThere) {
      const isFlat = await this.#look();
      if (isFlat === null) return false;
      failures = this.#problem === '' ? 0 : failures + 1;
      flat = isFlat ? flat + 1 : 0;
      if (flat === LISTS) return true;
      await pause(failures === 0 ? LOOK_MS : Math.min(AGAIN_MOST_MS, (LOOK_MS / 2) * 2 ** failures));
    }
    return false;
  }

  /** From here on the bot closes nothing. What a watchdog before this one has begun goes on. */
  #begin(): void {
    const { file, now, onClose, wall } = this.#deps;
    const { bot, epoch, legs } = this.#task;
    const noted = file.read();
    const isGoingOn = noted.act?.epoch === epoch && file.isThere;
    this.#used = usedIn(file.readAll(), bot, epoch);
    const act: ClosingAct = isGoingOn ? noted.act : { epoch, time: wall(), legs, used: [...this.#used] };
    if (!isGoingOn) file.begin(act);
    this.#legs = act.legs;
    const before = noted.closes.filter(({ clientId }) => isGoingOn && parseClientId(bot, clientId).epoch === epoch);
    for (const { fate, fill, ...close } of before) onClose(close, fate, fill);
    this.#closes = before
      // It is not known when one before this process was sent, and known: from now on.
      .map((close) => ({ ...close, sentAt: now(), knownAt: now(), absences: 0 }));
  }

  /** Null if the bot took over. */
  async #look(): Promise<boolean | null> {
    const { isOver, onLook, pause, venue } = this.#deps;
    const begunAt = this.#deps.now();
    const found = await venue.look(this.#task.epoch);
    // What the bot has said before this answer is heard first.
    await pause(0);
    if (isOver()) return null;
    this.#problem = '';
    if ('unknown' in found) {
      this.#problem = found.unknown;
      onLook([], this.#problem);
      return false;
    }
    for (const close of this.#closes) if (isOpen(close)) await this.#prove(close, found, begunAt);
    const freed = await this.#cancelCloses(found);
    const left: string[] = [];
    let isFlat = begunAt >= this.#deps.clearedAt() + this.#task.lagMs;
    for (const leg of this.#legs) {
      if (isOver()) return null;
      // The next list shows what these orders held.
      const rest = freed.has(nameOf(leg)) ? { isOwn: true, text: '' } : await this.#reduce(leg, found, begunAt);
      if (rest.isOwn) isFlat = false;
      if (rest.text !== '') left.push(rest.text);
    }
    onLook(left, this.#problem);
    return isFlat && this.#problem === '';
  }

  /** Reads what became of a close whose end is not known. */
  async #prove(close: Close, { pending }: FlatLook, begunAt: number): Promise<void> {
    const { venue } = this.#deps;
    const { horizonMs, lagMs } = this.#task;
    if (pending.has(close.clientId)) return this.#became(close, 'accepted');
    const report = await venue.find(close.symbol, close.clientId);
    if (report !== null && 'unknown' in report) {
      this.#problem = report.unknown;
      return;
    }
    if (report !== null) return hasEnded(report) ? this.#became(close, 'ended', fillOf(report)) : this.#became(close, 'accepted');
    if (close.fate === 'accepted' || begunAt < close.sentAt + horizonMs) return;
    close.absences++;
    if (close.absences >= ABSENCES && begunAt >= close.sentAt + horizonMs + lagMs) this.#became(close, 'absent');
  }

  #became(close: Close, fate: CloseFate, fill?: CloseFill): void {
    const { file, log, now, onClose } = this.#deps;
    if (close.fate === fate) return;
    close.fate = fate;
    close.knownAt = now();
    const { clientId, symbol, side, size } = close;
    log.warn('watchdog-close', { clientId, symbol, side: SIDES[side], size, fate });
    onClose(close, fate, fill);
    try {
      file.became(clientId, fate, fill);
    } catch {
      // The bot has taken the file, and reads it from the venue; or another watchdog does.
    }
  }

  /** Own closing orders that rest hold a part of the positions. Returns the legs of those that were cancelled now. */
  async #cancelCloses({ closes }: FlatLook): Promise<ReadonlySet<string>> {
    const freed = new Set<string>();
    const { isOver, now, pause, rate, venue } = this.#deps;
    for (const order of closes) {
      const isNamed = this.#legs.some((leg) => nameOf(leg) === nameOf(order));
      const isLate = (this.#cancelledAt.get(order.clientId) ?? -Infinity) > now() - this.#task.lagMs;
      if (!isNamed || isLate || isOver()) continue;
      const cancelled = await venue.cancel(order);
      if (cancelled === 'ended') {
        this.#cancelledAt.set(order.clientId, now());
        freed.add(nameOf(order));
      } else if (typeof cancelled === 'object') this.#problem = cancelled.unknown;
      await pause(1_000 / rate);
    }
    return freed;
  }

  /** Sends the next close of a leg if it is time for one. `isOwn`: something of the bot is left, or may be. */
  async #reduce(leg: NamedLeg, found: FlatLook, begunAt: number): Promise<{ readonly isOwn: boolean; readonly text: string }> {
    const { instruments, now } = this.#deps;
    const { side, symbol } = leg;
    const instrument = instruments.find((one) => one.symbol === symbol && one.product === 'futures');
    if (instrument === undefined) return { isOwn: false, text: `${symbol} ${SIDES[side]!} is not configured` };
    const index = 2 * instrument.index + side;
    const closes = this.#closes.filter((close) => nameOf(close) === nameOf(leg));
    const position = found.positions.find((one) => one.instrument === instrument.index && one.side === side);
    const shown = position?.total ?? 0;
    const of = `${symbol} ${SIDES[side]!} ${formatLots(shown, instrument)}`;
    const open = closes.find(isOpen);
    if (open !== undefined) return { isOwn: true, text: `${of}: what became of ${open.clientId} is not known yet` };
    const settledAt = Math.max(-Infinity, ...closes.filter(({ fate }) => !hasNotLanded(fate)).map(({ knownAt }) => knownAt));
    if (begunAt < settledAt + this.#task.lagMs) return { isOwn: true, text: `${of}: the list may be older than the last close` };
    const opened = shown === 0 ? 0 : await this.#openedOf(leg);
    const closed = closes.reduce((sum, { fate, size }) => sum + (hasNotLanded(fate) ? 0 : size), 0);
    const lots = ownLots(leg, { closed, opened, shown });
    if (lots === 0) return { isOwn: false, text: shown === 0 ? '' : `${of} stays: it is not of this bot, as far as is known` };
    assert(position !== undefined, 'what is left of a leg is in the list', symbol);
    const size = Math.min(lots, position.available, instrument.maxSize);
    const text = `${of}: ${formatLots(lots, instrument)} of it are of this bot`;
    if (size <= 0) return { isOwn: true, text: `${text}, and orders at the venue hold them` };
    if (now() >= (this.#refusals.get(index)?.nextAt ?? -Infinity)) await this.#close(index, { symbol, side, size }, position);
    return { isOwn: true, text };
  }

  /** Lots that records prove of the own opening orders that the bot has named. */
  async #openedOf({ opens, symbol }: NamedLeg): Promise<number> {
    let sum = 0;
    for (const { clientId, size } of opens) {
      let lots = this.#opened.get(clientId);
      if (lots === undefined) {
        const report = await this.#deps.venue.find(symbol, clientId);
        if (report !== null && 'unknown' in report) this.#problem = report.unknown;
        else if (report?.status === 'filled') lots = size;
        if (lots !== undefined) this.#opened.set(clientId, lots);
      }
      sum += lots ?? 0;
    }
    return sum;
  }

  async #close(leg: number, what: Pick<WatchdogClose, 'symbol' | 'side' | 'size'>, { marginMode }: PositionReport): Promise<void> {
    const { file, isOver, log, now, onClose, pause, rate, venue, wall } = this.#deps;
    const { bot, epoch } = this.#task;
    const count = (this.#used.get(leg) ?? 0) + 1;
    const close: Close = {
      ...what,
      clientId: watchdogClientId({ bot, epoch }, leg, count),
      time: wall(),
      fate: undefined,
      sentAt: now(),
      knownAt: -Infinity,
      absences: 0,
    };
    const { clientId, side, size, symbol, time } = close;
    try {
      file.close({ clientId, symbol, side, size, time });
    } catch (error) {
      this.#problem = `its closes cannot be noted: ${messageOf(error)}`;
      return;
    }
    this.#used.set(leg, count);
    this.#closes.push(close);
    onClose(close, undefined, undefined);
    log.warn('watchdog-closes-position', { clientId, symbol, side: SIDES[side], size });
    const closed = await venue.close(close, marginMode, () => (isOver() ? 'bot-back' : file.isThere ? null : 'taken-over'));
    if (closed === 'accepted') {
      this.#refusals.delete(leg);
      this.#became(close, 'accepted');
    } else if ('unknown' in closed) this.#problem = closed.unknown;
    else {
      const refused = (this.#refusals.get(leg)?.count ?? 0) + 1;
      this.#refusals.set(leg, { count: refused, nextAt: now() + Math.min(AGAIN_MOST_MS, LOOK_MS * 2 ** refused) });
      this.#problem = 'refused' in closed ? closed.refused : closed.unsent;
      this.#became(close, 'refused' in closed ? 'refused' : 'unsent');
    }
    await pause(1_000 / rate);
  }
}

function nameOf({ side, symbol }: Pick<NamedLeg, 'side' | 'symbol'>): string {
  return `${symbol} ${SIDES[side]!}`;
}

function fillOf({ averagePrice, filled, size, status }: OrderReport): CloseFill {
  return { lots: filled ?? (status === 'filled' ? size : null), price: averagePrice };
}

/** True while it is not known that the close can change the position no more. */
function isOpen({ fate }: Close): boolean {
  return fate === undefined || fate === 'accepted';
}

/** By leg: how many client ids of closes this epoch has used. */
function usedIn({ act, closes }: ReturnType<WatchdogCloses['readAll']>, bot: string, epoch: number): Map<number, number> {
  const used = new Map<number, number>(act?.epoch === epoch ? act.used : []);
  for (const { clientId } of closes) {
    const id = parseClientId(bot, clientId);
    const { leg, count } = watchdogCount(id.seq);
    if (id.epoch === epoch) used.set(leg, Math.max(used.get(leg) ?? 0, count));
  }
  return used;
}
