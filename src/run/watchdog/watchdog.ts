/**
 * The watchdog: a process of its own that watches a bot's signs of life. If the kernel of the bot has not advanced for `silenceMs`, it first
 * fences the bot: a request to halt, which the bot looks for right before the bytes of each open leave. Then it cancels the bot's opening
 * orders. Closing orders and brackets stay, unless `flattenAfterMs` is set: then it closes the bot's positions too. It ends acting when the bot is answerable again: a person has resumed it, or it was started again.
 * size: the life of one act, from the first sign that is missing to the last close
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/failure/message-of.ts';
import { counted } from '../../base/text/figures.ts';
import { followBeats, type BeatFollower } from '../../edge/control/beat-follower.ts';
import { HaltRequests } from '../../edge/file/beside/halt-requests.ts';
import { RunningMark } from '../../edge/file/beside/running-mark.ts';
import { machineNow } from '../../edge/time/machine-clock.ts';
import type { LogOutput } from '../../edge/log/pino-log.ts';
import { WatchdogCloses } from '../../edge/file/beside/watchdog-closes.ts';
import { legsIn, type NamedLeg } from '../../domain/messages/watchdog.ts';
import { Flattening, type FlatDeps, type FlatTask } from './flattening.ts';
import { flatVenue } from './flat-venue.ts';
import { beatOf, ENDED, type Beat } from './life/beat.ts';
import { clearOpens } from './clearing.ts';
import { Deeds } from './deeds.ts';
import { Fence } from './life/fence.ts';
import { opensAtVenue, type OpensAtVenue, type ShapedOpen } from './opens-at-venue.ts';
import { venueAccess, type VenueAccess } from './venue-access.ts';
import { watchdogDigest, type WatchdogSettings } from './settings.ts';
import { Silence } from './life/silence.ts';
import { StatusFile, type WatchdogState } from './status-file.ts';
import { UnlistedOpens, type UnlistedOpen } from './unlisted-opens.ts';
import { takeWatchdogLock } from './watchdog-lock.ts';
import type { Notifier } from '../../edge/systemd/notify.ts';

const LOOK_MS = 100;
/** How often the status is written while nothing changes. */
const STATUS_MS = 2_000;
/** How often opens of a silent bot are looked for after none was left. */
const GUARD_MS = 10_000;
/** How often it is tried whether the venue lets it act, while there is nothing to do. */
const CHECK_MS = 60_000;
/** Longest wait for the calls in flight, when it is told to end. */
const LAST_CALLS_MS = 10_000;

export class Watchdog {
  /** Resolves when it has ended, after `stop` or with the bot that started it. */
  readonly ended: Promise<void>;
  readonly #settings: WatchdogSettings;
  readonly #log: LogOutput;
  readonly #notifier: Notifier;
  readonly #lock: { close(): void };
  readonly #access: VenueAccess;
  readonly #opens: OpensAtVenue;
  readonly #mark: RunningMark;
  readonly #requests: HaltRequests;
  readonly #file: StatusFile;
  readonly #follower: BeatFollower;
  readonly #silence = new Silence();
  readonly #unlisted = new UnlistedOpens();
  readonly #digest: string;
  readonly #timer: NodeJS.Timeout;
  readonly #end: () => void;
  #state: WatchdogState = 'waiting';
  #since = Date.now();
  #lookedAt = machineNow();
  #writtenAt = -Infinity;
  #checkedAt = -Infinity;
  /** Epoch of the bot that ought to run; 0 while it starts, -1 for none. */
  #epoch = -1;
  /** Of the silent bot; null before the first. */
  #fence: Fence | null = null;
  /** Of the silence of that fence. */
  #deeds = new Deeds([]);
  #acted = 0;
  #cancelled = 0;
  #left = 0;
  #problem = '';
  #isStopped = false;
  /** It was told to end: no call leaves any more. */
  #isEnding = false;
  #work: Promise<void> = Promise.resolve();
  /** True once it has read at the venue what is left, of the silence of the fence. */
  #hasLooked = false;
  /** Legs of the bot, as it last named them. */
  #legs: readonly NamedLeg[] = [];
  #closed = 0;
  #positions: readonly string[] = [];
  /** Why it is not known what is left of the positions; "" if it is. */
  #closing = '';
  /** True if the bot that is watched has its mark, which only an end that was asked for takes away. */
  #isMarked = false;

  /** @throws Failure watchdog-occupied if another watchdog watches this bot, or what the credentials or the address are refused for */
  constructor(settings: WatchdogSettings, log: LogOutput, notifier: Notifier) {
    const { folder } = settings;
    this.#settings = settings;
    this.#log = log;
    this.#notifier = notifier;
    this.#lock = takeWatchdogLock(folder);
    this.#access = venueAccess(settings);
    this.#opens = opensAtVenue(settings.bot, this.#access);
    this.#mark = new RunningMark(folder);
    this.#requests = new HaltRequests(folder);
    this.#file = new StatusFile(folder);
    this.#digest = watchdogDigest(settings);
    const running = this.#mark.read();
    if (running !== null) {
      this.#epoch = running.epoch;
      for (const line of running.lines) if (!this.#unlisted.take(line)) this.#legs = legsIn(line) ?? this.#legs;
      this.#state = 'watching';
      this.#isMarked = true;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    log.info('watchdog-watching', { bot: settings.bot, folder, silenceMs: settings.watchdog.silenceMs, isRunning: running !== null });
    this.#follower = followBeats(folder, (line) => this.#heard(line));
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /**
   * A person or a process manager ends it: after the calls in flight, whatever it does. Only one that a bot started goes on while that bot lives
   * and advances: signals to the group of a bot that is stopped are not for its watchdog, which hears from the bot that it has ended.
   */
  async terminate(): Promise<void> {
    if (this.#settings.isOwned && !this.#isActing && this.#follower.isConnected) {
      this.#log.warn('watchdog-goes-on', { hint: 'its bot lives: stop the bot, and it ends too' });
      return;
    }
    this.#isEnding = true;
    await Promise.race([this.#work, sleep(LAST_CALLS_MS)]);
    await this.stop();
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#write(true);
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#follower.stop();
    const undone = this.#undone;
    const said = { state: this.#state, left: this.#left, did: this.#deeds.text };
    if (undone === '') this.#log.info('watchdog-stopped', said);
    else this.#log.warn('watchdog-stopped', { ...said, undone, hint: 'nothing watches the bot now: look at the venue, or start the bot' });
    await this.#access.close();
    this.#lock.close();
    this.#end();
  }

  /** What it was about to do; "" for nothing. */
  get #undone(): string {
    if (this.#state !== 'acting') return '';
    const orders = this.#hasLooked ? `${counted(this.#left, 'opening order')} left when it looked last` : 'opening orders may be left';
    if (this.#settings.watchdog.flattenAfterMs === 0) return orders;
    const legs = this.#positions.length === 0 ? 'positions may be open' : `positions left: ${this.#positions.join('; ')}`;
    return `${orders}, ${legs}`;
  }

  #heard(line: string): void {
    if (this.#isStopped || this.#unlisted.take(line)) return;
    const legs = legsIn(line);
    if (legs !== null) this.#legs = legs;
    const beat = beatOf(line);
    if (beat === null) return;
    if (beat.pid !== this.#silence.last?.pid) this.#notifier.began();
    if (beat.phase === ENDED) {
      // Not before: a bot that is opened again in its process stops too, and after a STOPPING systemd would kill it.
      this.#notifier.stopping();
      return this.#endedAsAsked();
    }
    if (beat.epoch > 0 && beat.settings !== this.#digest && this.#isReplaced(beat)) return;
    const isBack = this.#silence.heard(beat);
    // A bot that starts does not know its epoch yet; its orders are those of the one before.
    if (beat.epoch > 0 && beat.epoch !== this.#epoch) this.#isMarked = this.#mark.read() !== null;
    this.#epoch = beat.epoch > 0 ? beat.epoch : Math.max(0, this.#epoch);
    if (isBack) this.#notifier.alive(beat.phase === 'armed');
    if (this.#state === 'waiting') this.#become('watching');
    if (this.#isActing) this.#isBack(beat, isBack);
  }

  /** The bot was started again with other settings. The one that starts its watchdog starts another; a process manager has to. */
  #isReplaced({ pid, settings }: Beat): boolean {
    const { isOwned } = this.#settings;
    const { last } = this.#silence;
    if (isOwned || last?.pid !== pid || last.settings !== settings)
      this.#log.warn('watchdog-outdated', {
        pid,
        hint: isOwned ? 'the bot starts another' : 'start it again with the configuration of the bot',
      });
    if (isOwned) void this.stop();
    return isOwned;
  }

  get #isActing(): boolean {
    return this.#state === 'acting' || this.#state === 'done';
  }

  /** No call of this silence leaves any more. */
  get #isOver(): boolean {
    return this.#isStopped || this.#isEnding || !this.#isActing;
  }

  #isBack(beat: Beat, hasAdvanced: boolean): void {
    const fence = this.#fence;
    if (fence === null || !fence.isOver(beat, hasAdvanced, () => this.#requests.has(fence.id))) return;
    const { pid, epoch } = beat;
    this.#log.warn('watchdog-bot-back', { pid, epoch });
    this.#become('watching');
  }

  #endedAsAsked(): void {
    this.#epoch = -1;
    this.#isMarked = false;
    if (this.#settings.isOwned) void this.stop();
    else if (this.#state !== 'waiting') this.#become('waiting');
  }

  #look(): void {
    const now = machineNow();
    this.#silence.passed(now - this.#lookedAt);
    this.#lookedAt = now;
    if (this.#epoch === 0 && !this.#follower.isConnected) this.#neverStarted();
    // Its last word may not have been heard: it may have started and ended between two tries to connect.
    else if (this.#isMarked && !this.#follower.isConnected && this.#mark.isGone) this.#endedAsAsked();
    if (this.#isStopped || this.#isEnding) return;
    const { silenceMs } = this.#settings.watchdog;
    const isSilent = this.#state === 'watching' && this.#silence.ms >= silenceMs;
    if (isSilent && this.#epoch > 0) this.#work = this.#act(this.#epoch);
    if (this.#state === 'watching' && now - this.#checkedAt >= CHECK_MS) void this.#check(now);
    if (now - this.#writtenAt >= STATUS_MS) this.#write();
  }

  /** A key that is refused, or a venue that is away, is known before it matters. */
  async #check(now: number): Promise<void> {
    this.#checkedAt = now;
    const problem = await this.#access.check();
    if (this.#isStopped || this.#state !== 'watching' || problem === this.#problem) return;
    this.#problem = problem;
    if (problem === '') this.#log.info('watchdog-able', {});
    else this.#log.warn('watchdog-unable', { why: problem, hint: 'until this ends, it could cancel nothing' });
    this.#write();
  }

  /** A bot that ended before it knew its epoch has opened nothing. The one before it may have left orders. */
  #neverStarted(): void {
    const running = this.#mark.read();
    if (running === null) this.#endedAsAsked();
    else this.#epoch = running.epoch;
  }

  async #act(epoch: number): Promise<void> {
    const { bot, orderHorizonMs, watchdog } = this.#settings;
    // Cancels and closes share the rate.
    const cancelRate = watchdog.flattenAfterMs > 0 ? this.#settings.cancelRate / 2 : this.#settings.cancelRate;
    const silentMs = Math.round(this.#silence.ms);
    const uncountedMs = Math.round(this.#silence.uncountedMs);
    const { isConnected } = this.#follower;
    this.#acted++;
    // A new one for each time: the bot takes a request once.
    const fence = new Fence(`watchdog-${epoch.toString(36)}-${Date.now().toString(36)}`, epoch);
    this.#fence = fence;
    this.#deeds = new Deeds(this.#access.instruments);
    this.#problem = '';
    this.#hasLooked = false;
    this.#become('acting');
    this.#log.error('watchdog-acts', { bot, epoch, silentMs, uncountedMs, isConnected, pid: this.#silence.last?.pid ?? 0 });
    this.#notifier.silent(`no sign of life for ${Math.round(silentMs / 1_000)} s`);
    let fencedAt = this.#fenced(fence, silentMs);
    const begunAt = machineNow();
    const deps = {
      venue: this.#opens,
      now: machineNow,
      pause: (ms: number) => sleep(ms),
      log: this.#log,
      cancelRate,
      isOver: () => this.#isOver,
      onCancelled: (order: ShapedOpen) => {
        const { clientId, symbol } = order;
        this.#cancelled++;
        this.#deeds.cancelled(order);
        this.#log.warn('watchdog-cancelled', { clientId, symbol, afterMs: Math.round(machineNow() - begunAt) });
      },
      onLook: (left: number, problem: string) => {
        if (fencedAt === Infinity) fencedAt = this.#fenced(fence, silentMs);
        this.#seen(left, problem);
      },
    };
    const unlisted = (): readonly UnlistedOpen[] => (this.#epoch === epoch ? this.#unlisted.all : []);
    const first = { epoch, fencedAt: () => fencedAt, horizonMs: orderHorizonMs, unlisted };
    let clearedAt = Infinity;
    const flat = watchdog.flattenAfterMs > 0 ? this.#flatten(fence, cancelRate, () => clearedAt) : null;
    if (!(await clearOpens(first, deps))) return void (await flat);
    clearedAt = machineNow();
    if (flat !== null && !(await flat)) return;
    this.#become('done');
    const done = { cancelled: this.#cancelled, closed: this.#closed, positions: this.#positions, did: this.#deeds.text };
    this.#log.info('watchdog-done', { ...done, afterMs: Math.round(machineNow() - begunAt) });
    // The bot that started it is gone: what starts the bot again starts another watchdog.
    if (this.#settings.isOwned && !this.#follower.isConnected) return this.stop();
    // What was on its way for longer than the horizon is found while the bot is silent.
    do await this.#wait();
    while (await clearOpens({ ...first, horizonMs: 0, unlisted: () => [] }, deps));
  }

  /**
   * Closes positions whenever the bot has been silent for long enough, as long as this fence is the newest. Resolves to true when nothing of
   * the bot is left for the first time, to false if the bot is back before.
   */
  #flatten(fence: Fence, rate: number, clearedAt: () => number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const { bot, folder, listLagMs: lagMs, orderHorizonMs: horizonMs, watchdog } = this.#settings;
    const isOurs = (): boolean => !this.#isOver && this.#fence === fence;
    const isDue = (): boolean => isOurs() && this.#epoch === fence.epoch && this.#silence.ms >= watchdog.flattenAfterMs;
    const deps: FlatDeps = {
      venue: { ...flatVenue(bot, this.#access), cancel: (order) => this.#opens.cancel(order) },
      file: new WatchdogCloses(folder),
      instruments: this.#access.instruments,
      now: machineNow,
      wall: Date.now,
      pause: (ms) => sleep(ms),
      log: this.#log,
      rate,
      isOver: () => !isDue(),
      clearedAt,
      onClose: (close, fate, fill) => {
        if (this.#deeds.became(close, fate, fill)) this.#closed++;
        this.#write();
      },
      onLook: (left, problem) => this.#leftOf(left, problem),
    };
    void (async () => {
      let isFlat = false;
      while (isOurs()) {
        if (isDue()) isFlat = await this.#flattenOnce({ bot, epoch: fence.epoch, legs: this.#legs, horizonMs, lagMs }, deps);
        if (isFlat) resolve(true);
        await sleep(isFlat ? GUARD_MS : LOOK_MS);
      }
      resolve(false);
    })();
    return promise;
  }

  async #flattenOnce(task: FlatTask, deps: FlatDeps): Promise<boolean> {
    try {
      const isFlat = await new Flattening(task, deps).run();
      if (!isFlat) this.#log.warn('watchdog-taken-over', { closed: this.#closed, positions: this.#positions });
      return isFlat;
    } catch (error) {
      this.#leftOf(this.#positions, `its closes cannot be noted: ${messageOf(error)}`);
      return false;
    }
  }

  #leftOf(positions: readonly string[], problem: string): void {
    const isSame = problem === this.#closing;
    if (isSame && positions.join() === this.#positions.join()) return;
    if (!isSame && problem !== '') this.#log.warn('watchdog-closing', { positions, why: problem });
    if (problem === '' || positions.length > 0) this.#positions = positions;
    this.#closing = problem;
    this.#write();
  }

  async #wait(): Promise<void> {
    for (let waited = 0; waited < GUARD_MS && this.#state === 'done' && !this.#isOver; waited += LOOK_MS) await sleep(LOOK_MS);
  }

  /** Nothing opens while the request is there. Returns the steady time of it; Infinity if it could not be written. */
  #fenced({ id, epoch }: Fence, silentMs: number): number {
    const { watchdog } = this.#settings;
    const closes = watchdog.flattenAfterMs > 0 ? `, and after ${watchdog.flattenAfterMs / 1_000} s its positions are closed` : '';
    const why = `no sign of life for ${Math.round(silentMs / 1_000)} s: its opening orders are cancelled${closes}`;
    const ends = watchdog.resume === 'restart' ? { epoch } : {};
    try {
      this.#requests.add({ id, name: 'halt', scope: '', by: 'watchdog', why, time: Date.now(), cancelsOpens: true, ...ends });
      return machineNow();
    } catch (error) {
      this.#log.error('watchdog-unfenced', { error, hint: 'a bot that wakes up may open again until this can be written' });
      return Infinity;
    }
  }

  #seen(left: number, problem: string): void {
    this.#hasLooked = true;
    if (left === this.#left && problem === this.#problem) return;
    if (problem !== '' && problem !== this.#problem) this.#log.warn('watchdog-unknown', { left, why: problem });
    this.#left = left;
    this.#problem = problem;
    this.#write();
  }

  #become(state: WatchdogState): void {
    this.#state = state;
    this.#since = Date.now();
    if (state === 'watching') {
      this.#silence.reset();
      this.#problem = '';
    }
    this.#write();
  }

  /** Nothing after the stop: the file is then of the watchdog that took its place. */
  #write(isEnd = false): void {
    if (this.#isStopped) return;
    this.#writtenAt = machineNow();
    this.#file.write({
      pid: isEnd ? null : process.pid,
      bot: this.#settings.bot,
      state: isEnd && !this.#isActing ? 'ended' : this.#state,
      time: Date.now(),
      since: this.#since,
      silentMs: Math.round(this.#silence.ms),
      epoch: Math.max(0, this.#epoch),
      acted: this.#acted,
      cancelled: this.#cancelled,
      left: this.#left,
      problem: this.#problem,
      flattenAfterMs: this.#settings.watchdog.flattenAfterMs,
      closed: this.#closed,
      positions: this.#positions,
      closing: this.#closing,
      fence: this.#fence?.id ?? '',
      did: this.#deeds.text,
    });
  }
}
