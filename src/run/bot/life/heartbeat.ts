/**
 * The signs of life of a bot for its watchdog: once a second whether the kernel has advanced, and which opening orders no list of the venue shows.
 * Such an order is told before its command leaves. A file beside the store says that the bot ought to run.
 */
import { OPEN, PLACE_SPOT, PLACE_TRIGGER } from '../../../domain/codes.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { BeatSocket } from '../../../edge/control/beat-socket.ts';
import type { RunningMark } from '../../../edge/file/beside/running-mark.ts';
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { ENDED, type Beat, type UnlistedOpen } from '../../watchdog/beat.ts';
import type { EventLoop } from './event-loop.ts';

const BEAT_MS = 1_000;

export interface HeartbeatDeps {
  readonly bot: string;
  readonly socket: Pick<BeatSocket, 'tell' | 'close'>;
  readonly mark: Pick<RunningMark, 'write' | 'remove' | 'path'>;
  readonly log: Log;
}

export interface BeatingBot {
  readonly kernel: Pick<Kernel, 'phase' | 'halts' | 'liveOrders'>;
  readonly ids: Pick<ClientIds, 'epoch' | 'idOf'>;
  readonly loop: Pick<EventLoop, 'take' | 'turns'>;
  readonly events: Pick<KernelInbox, 'runTimers'>;
  readonly clock: Clock;
}

export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #bot: BeatingBot | null = null;
  #timer: NodeJS.Timeout | undefined;
  #unlisted = new Map<number, UnlistedOpen>();
  /** Turns at the last beat. */
  #turns = 0;
  /** Epoch in the running mark. */
  #marked = 0;

  /** Says that a bot starts. */
  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
    this.#tell({ phase: 'starting' });
  }

  /** Beats for this bot from now on. */
  begin(bot: BeatingBot): void {
    this.#bot = bot;
    this.#readUnlisted(bot);
    this.beat();
    this.#timer = setInterval(() => this.beat(), BEAT_MS);
    this.#timer.unref();
  }

  /** Tells how far the kernel is. Where it has had nothing to do it takes a step, which shows that it can. */
  beat(): void {
    const { kernel, ids, loop, events, clock } = this.#begun();
    if (loop.turns === this.#turns) loop.take(() => events.runTimers(clock.now()));
    this.#turns = loop.turns;
    if (this.#unlisted.size > 0) this.#readUnlisted(this.#begun());
    this.#mark(ids.epoch);
    this.#tellOf(kernel, ids.epoch);
  }

  /** A record of the journal: the command in it leaves later. The first of a new epoch, and what no list shows, is told before. */
  record({ kind, seq, data }: JournalRecord): void {
    if (kind !== 'command' || this.#bot === null) return;
    const command = Number(data['kind']);
    const { ids, kernel } = this.#bot;
    const isUnlisted = command === PLACE_SPOT || (command === PLACE_TRIGGER && data['effect'] === OPEN);
    if (!isUnlisted && ids.epoch === this.#marked) return;
    if (isUnlisted) this.#unlisted.set(seq, { seq, kind: command, symbol: String(data['symbol']), clientId: ids.idOf(seq), venueId: '' });
    this.#mark(ids.epoch);
    this.#tellOf(kernel, ids.epoch);
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

  #begun(): BeatingBot {
    if (this.#bot === null) throw new Error('the heart beats once there is a bot');
    return this.#bot;
  }

  #readUnlisted({ kernel, ids }: BeatingBot): void {
    const live = kernel.liveOrders().filter(({ kind, effect }) => kind === PLACE_SPOT || (kind === PLACE_TRIGGER && effect === OPEN));
    this.#unlisted = new Map(
      live.map(({ seq, kind, symbol, venueId }) => [seq, { seq, kind, symbol, clientId: ids.idOf(seq), venueId }] as const),
    );
  }

  /** Without the mark, a watchdog that starts after this process has died does not know of it. */
  #mark(epoch: number): void {
    if (epoch === this.#marked) return;
    const { bot, mark } = this.#deps;
    this.#marked = epoch;
    try {
      mark.write({ bot, epoch });
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
    const { bot, socket } = this.#deps;
    const beat: Beat = { bot, pid: process.pid, epoch: 0, turns: 0, isHalted: false, unlisted: [...this.#unlisted.values()], ...facts };
    socket.tell(JSON.stringify(beat));
  }
}
