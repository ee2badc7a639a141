/**
 * The signs of life of a bot for its watchdog: once a second whether the kernel has advanced, and which opening orders no list of the venue shows.
 * Such an order is named before its command leaves. A file beside the store says that the bot ought to run, and names these orders too.
 */
import { OPEN, PLACE_SPOT, PLACE_TRIGGER } from '../../../domain/codes.ts';
import { legsLine } from '../../../domain/messages/watchdog.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { BeatSocket } from '../../../edge/control/beat-socket.ts';
import type { RunningMark } from '../../../edge/file/beside/running-mark.ts';
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { ENDED, type Beat } from '../../watchdog/life/beat.ts';
import { UnlistedOpens, type UnlistedOpen } from '../../watchdog/unlisted-opens.ts';
import type { EventLoop } from './event-loop.ts';

const BEAT_MS = 1_000;
/** The lines of the mark are replaced by one when there are so many, so that it stays small. */
const LINES_MAX = 1_000;

export interface HeartbeatDeps {
  readonly bot: string;
  /** Digest of the program and the settings that its watchdog should have. */
  readonly settings: string;
  /** True if its watchdog may close positions: they are named. */
  readonly namesLegs: boolean;
  /** False if no watchdog listens. */
  readonly isWatched: () => boolean;
  readonly socket: Pick<BeatSocket, 'tell' | 'greetWith' | 'close'>;
  readonly mark: Pick<RunningMark, 'write' | 'add' | 'remove' | 'path'>;
  readonly log: Log;
}

export interface BeatingBot {
  readonly kernel: Pick<Kernel, 'phase' | 'halts' | 'liveOrders' | 'namedLegs'>;
  readonly ids: Pick<ClientIds, 'epoch' | 'idOf'>;
  readonly loop: Pick<EventLoop, 'take' | 'turns'>;
  readonly events: Pick<KernelInbox, 'runTimers'>;
  readonly clock: Clock;
}

export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #bot: BeatingBot | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #unlisted = new UnlistedOpens();
  #last = '';
  /** Turns at the last beat. */
  #turns = 0;
  /** Epoch in the running mark. */
  #marked = 0;
  /** Lines in the running mark. */
  #lines = 0;
  /** The line that names the legs; "" if none are named. */
  #legs = '';
  /** True if the legs may have changed since. */
  #mayDiffer = false;

  /** Says that a bot starts. */
  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
    // A bot that starts does not know yet what the one before has left.
    deps.socket.greetWith(() => (this.#bot === null ? [this.#last] : [...this.#standing, this.#last]));
    this.#tell({ phase: 'starting' });
  }

  get isWatched(): boolean {
    return this.#deps.isWatched();
  }

  /** Beats for this bot from now on. */
  begin(bot: BeatingBot): void {
    this.#bot = bot;
    this.#unlisted.become(unlistedOf(bot));
    this.#legs = this.#legsLine();
    for (const line of this.#standing) this.#deps.socket.tell(line);
    this.beat();
    this.#timer = setInterval(() => this.beat(), BEAT_MS);
    this.#timer.unref();
  }

  /** Tells how far the kernel is. Where it has had nothing to do it takes a step, which shows that it can. */
  beat(): void {
    const { kernel, ids, loop, events, clock } = this.#begun();
    if (loop.turns === this.#turns) loop.take(() => events.runTimers(clock.now()));
    this.#turns = loop.turns;
    if (this.#unlisted.size > 0) for (const line of this.#unlisted.become(unlistedOf(this.#begun()))) this.#name(line);
    this.#mayDiffer = true;
    this.nameLegs();
    if (this.#lines > LINES_MAX + this.#unlisted.size) this.#marked = 0;
    this.#mark(ids.epoch);
    this.#tellOf(kernel, ids.epoch);
  }

  /**
   * A record of the journal. The command in it leaves later: the first of a new epoch, and what no list shows, is told before. So is the
   * begin and the end of a halt, because the watchdog must not cancel what the bot opens afterwards.
   */
  record({ kind, seq, data }: JournalRecord): void {
    if (this.#bot === null) return;
    this.#mayDiffer = true;
    const { ids, kernel } = this.#bot;
    const isNew = ids.epoch !== this.#marked;
    if (isNew) this.#mark(ids.epoch);
    if (isNew || kind === 'halt' || kind === 'lift') this.#tellOf(kernel, ids.epoch);
    if (kind !== 'command' || !isUnlisted(data)) return;
    const [side, size, price] = [Number(data['side']), Number(data['size']), Number(data['price'])];
    const order = { seq, kind: Number(data['kind']), symbol: String(data['symbol']), clientId: ids.idOf(seq), venueId: '' };
    this.#name(this.#unlisted.open({ ...order, side, size, price }));
  }

  /** Names the legs again if they have changed, before the commands of the turn leave: a watchdog closes no others. */
  nameLegs(): void {
    if (!this.#mayDiffer || this.#bot === null) return;
    this.#mayDiffer = false;
    const line = this.#legsLine();
    if (line === this.#legs) return;
    this.#legs = line;
    this.#name(line);
  }

  /** The bot ends. `isAsked`: nobody need do anything about its orders. */
  async end(isAsked: boolean): Promise<void> {
    clearInterval(this.#timer);
    if (isAsked) {
      try {
        this.#deps.mark.remove();
      } catch (error) {
        this.#failed(error);
      }
      this.#tell({ phase: ENDED });
    }
    await this.#deps.socket.close();
  }

  /** What whoever comes is told first, and the mark has. */
  get #standing(): string[] {
    return this.#legs === '' ? [this.#unlisted.line] : [this.#unlisted.line, this.#legs];
  }

  #legsLine(): string {
    return this.#deps.namesLegs ? legsLine(this.#begun().kernel.namedLegs()) : '';
  }

  #begun(): BeatingBot {
    if (this.#bot === null) throw new Error('the heart beats once there is a bot');
    return this.#bot;
  }

  /** Names what has become of an order, or a new one, to whoever listens and to whoever comes when this process has died. */
  #name(line: string): void {
    const { mark, socket } = this.#deps;
    socket.tell(line);
    this.#lines++;
    try {
      mark.add(line);
    } catch {
      // Somebody deleted the file, or the disk is full.
      const epoch = this.#marked;
      this.#marked = 0;
      this.#mark(epoch);
    }
  }

  /** Without the mark, a watchdog that starts after this process has died does not know of it. */
  #mark(epoch: number): void {
    if (epoch === this.#marked) return;
    const { bot, mark } = this.#deps;
    this.#marked = epoch;
    this.#lines = 1;
    try {
      mark.write({ bot, epoch, lines: this.#standing });
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const { log, mark } = this.#deps;
    log.warn('running-mark-failed', { file: mark.path, error });
  }

  #tellOf(kernel: BeatingBot['kernel'], epoch: number): void {
    const isHalted = kernel.halts().some(({ scope }) => scope === 'bot');
    this.#tell({ phase: kernel.phase, epoch, turns: this.#turns, isHalted });
  }

  #tell(facts: Pick<Beat, 'phase'> & Partial<Beat>): void {
    const { bot, settings, socket } = this.#deps;
    const beat: Beat = { bot, pid: process.pid, epoch: 0, turns: 0, isHalted: false, settings, ...facts };
    this.#last = JSON.stringify(beat);
    socket.tell(this.#last);
  }
}

function unlistedOf({ kernel, ids }: BeatingBot): UnlistedOpen[] {
  return kernel
    .liveOrders()
    .filter(isUnlisted)
    .map(({ seq, kind, symbol, venueId, side, size, price }) => {
      return { seq, kind, symbol, clientId: ids.idOf(seq), venueId, side, size, price };
    });
}

function isUnlisted({ kind, effect }: { readonly kind?: unknown; readonly effect?: unknown }): boolean {
  return kind === PLACE_SPOT || (kind === PLACE_TRIGGER && effect === OPEN);
}
