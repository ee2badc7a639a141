/** One run by a plan: exchange, network, disk, clocks, a market, an operator and a human around the real bot, in one thread on virtual time. */
import { setImmediate } from 'node:timers/promises';
import { Random } from '../../../src/base/random.ts';
import { MODIFY } from '../../../src/domain/codes.ts';
import { isCancel } from '../../../src/domain/orders/command-traits.ts';
import type { Command } from '../../../src/domain/orders/command.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OperatorCommand } from '../../../src/engine/operator/command.ts';
import { StoreError, type Store } from '../../../src/ports/store.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { btc, START } from '../../support/engine/engine-kit.ts';
import { checkConfigured, checkFlat, Configuration } from '../changes.ts';
import { hasOtherClocks } from './clocks.ts';
import { Disk, DiskStore } from './disk.ts';
import { Heap } from './heap.ts';
import { FIRST_PRICE, Ledger, LEVERAGE, MOST_LOTS, opens } from '../ledger.ts';
import { Life, type World as Port } from './life.ts';
import { Network } from './network.ts';
import { commandOf } from './operator.ts';
import { Requests } from './requests.ts';
import { Person } from './person.ts';
import type { Boundary, Incident, Plan } from '../plan.ts';
import { RedisServer } from './redis-server.ts';
import type { Decisions } from './strategies.ts';
import { checkNet } from '../trades.ts';

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] as const;
const AGAIN_MS = 1_000; // until a bot that failed is started again
/** What is signed with a time that is further off than this, the venue refuses. */
const SIGNED_WITHIN_MS = 2_000;

/** What can die and stand still. */
interface Process {
  readonly isDead: boolean;
  readonly pausedUntil: number;
}

interface Event {
  readonly at: number;
  readonly no: number;
  readonly life: Process | null;
  readonly run: () => void;
  /** It resolves promises: what waits for them goes on before anything else happens. */
  readonly stirs: boolean;
}

export class Simulation {
  readonly plan: Plan;
  readonly sim: VenueSim;
  readonly ledger: Ledger;
  readonly network: Network;
  readonly instruments: readonly Instrument[];
  readonly lives: Life[] = [];
  /** What was logged, by event: how often. Warnings and errors alone. */
  readonly logged = new Map<string, number>();
  /** Orders of which the bot said that it does not know how much they filled. */
  readonly undecided = new Set<string>();
  /** Orders that a bot has seen after it took them for never landed, or after its journal had forgotten them. */
  readonly #seen = new Set<string>();
  /** Client ids of orders that the journal says were accepted, over all lives. */
  readonly accepted = new Set<string>();
  readonly timeline: string[] | null;
  time = START;
  hash = 0x811c9dc5;
  /** What the run went through. */
  readonly met = { crashes: 0, rollbacks: 0, lives: 0, commands: 0, operator: 0, steps: 0 };
  /** Halts of the whole bot that an operator was told are in force. */
  readonly #inForce = new Set<string>();
  /** How often the operator has ended halts. */
  #resumes = 0;
  readonly #disk = new Disk();
  readonly #requests = new Requests(
    () => (this.#stirred = true),
    (name) => this.#recorded(name),
  );
  readonly #redis: RedisServer | null;
  readonly #events = new Heap<Event>();
  readonly #boundaries = new Map<Boundary, number>();
  readonly #crashes: Extract<Incident, { kind: 'crash' }>[];
  readonly #stores = new Map<Life, DiskStore>();
  readonly #port: Port;
  readonly sent: { readonly life: Life; readonly at: number }[] = [];
  readonly #mids = SYMBOLS.map(() => FIRST_PRICE);
  #wallOff = 0;
  #midOff = 0;
  #no = 0;
  #decided = 0;
  readonly #configuration: Configuration;
  readonly person: Person;
  readonly #decisions: Decisions = { isCalm: () => this.isCalm, next: () => `i${++this.#decided}` };
  isCalm = false;
  #stirred = true;

  constructor(plan: Plan, hasTimeline = false) {
    this.plan = plan;
    this.timeline = hasTimeline ? [] : null;
    this.instruments = SYMBOLS.slice(0, plan.symbols).map((symbol, i) => btc(i, symbol));
    this.#configuration = new Configuration(plan, this.instruments);
    this.ledger = new Ledger(
      () => this.sim,
      2 * plan.symbols,
      plan.mostTotal,
      (tag) => this.network.nameOf(tag),
      (id) => this.network.beyond.has(id),
      (text) => this.note(text),
    );
    const accounts = [{ name: 'a', futures: plan.deposit, spot: {} }];
    const spec = {
      instruments: this.instruments,
      accounts,
      fillModel: plan.fillModel,
      leverage: LEVERAGE,
      historyLimit: 10_000,
      keepTrades: 1000,
    };
    this.sim = new VenueSim(spec, this.ledger);
    for (const { index } of this.instruments) this.sim.quote(index, 9_999, 50, 10_001, 50, START);
    const now = (): number => this.time;
    this.network = new Network({
      plan,
      sim: this.sim,
      instruments: this.instruments,
      now,
      after: (ms, caller, run) => this.#after(ms, caller as Process | null, run),
      note: (text) => this.note(text),
    });
    this.#crashes = plan.incidents.filter((one) => one.kind === 'crash');
    this.#redis =
      plan.store === 'redis' ? new RedisServer({ now, after: (ms, life, run) => this.#after(ms, life, run, true), seed: plan.seed }) : null;
    this.#port = {
      plan,
      instruments: this.instruments,
      network: this.network,
      now,
      wall: () => this.time + this.#wallOff,
      after: (ms, life, run) => this.#after(ms, life, run),
      requests: this.#requests,
      boundary: (life, where) => this.#boundary(life, where),
      note: (text) => this.note(text),
      leaving: (life, command) => this.#leaving(life, command),
      told: (life, id, lots) => this.#told(life, id, lots),
      logged: (life, level, event, fields) => this.#logged(life, level, event, fields),
      flat: (life, scope) => checkFlat(this, life, scope),
      failed: (life) => this.#failed(life),
    };
    this.person = new Person({
      sim: this.sim,
      now,
      isCalm: () => this.isCalm,
      nameOf: (tag) => this.network.nameOf(tag),
      note: (text) => this.note(text),
      after: (ms, run) => this.#after(ms, null, run),
    });
    for (const one of plan.incidents) this.#schedule(one);
    this.#begin('a');
  }

  /** Flattened for good: nothing was resumed since. */
  get mustBeFlat(): boolean {
    return this.#inForce.has('kill');
  }

  /** The bot that trades, or that can: null while none does. */
  get bot(): Life | null {
    return this.lives.findLast((life) => !life.isDead && life.gate.failure === null) ?? null;
  }

  /** A line of the timeline; `text` is a part of the hash that two runs of one plan must share, `facts` are for the reader alone. */
  note(text: string, facts?: unknown): void {
    let hash = this.hash;
    for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
    this.hash = Math.imul(hash ^ (this.time - START), 0x01000193);
    if (this.timeline === null) return;
    this.timeline.push(`${String(this.time - START).padStart(7)}  ${text}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`);
  }

  /** The market moves step by step, and everything else happens meanwhile. */
  async trade(): Promise<void> {
    const random = new Random(this.plan.seed * 5 + 1);
    const mids = this.#mids;
    // What a bracket fills far from its trigger is taken for somebody else's: there is enough of the market for each.
    const least = this.plan.strategy === 'trades' ? MOST_LOTS : 1;
    for (let step = 1; step <= this.plan.steps; step++) {
      await this.#until(this.time + 1 + random.below(300));
      this.met.steps++;
      for (const { index } of this.instruments) {
        const mid = (mids[index]! += random.below(7) - 3) + this.#midOff;
        this.sim.trade(index, mid + (random.below(3) - 1), 1 + random.below(30), random.below(2), this.time, step);
        this.sim.quote(index, mid - 1, least + random.below(60), mid + 1, least + random.below(60), this.time);
      }
      this.ledger.checkLimits();
      this.#checkExposure();
    }
  }

  /** The market stands still, and there is enough of it for every order. */
  async rest(ms: number): Promise<void> {
    for (const { index } of this.instruments) this.sim.quote(index, this.#mids[index]! - 1, 500, this.#mids[index]! + 1, 500, this.time);
    await this.#until(this.time + ms);
  }

  /** An operator types a command at the bot that runs; one that stands still takes it later. */
  operate(command: OperatorCommand): void {
    const { bot } = this;
    if (this.plan.door === 'gone' && this.#requests.isTaking(command, this.time + this.#wallOff)) return;
    if (bot === null) return;
    this.met.operator++;
    this.note(`operator: ${command.name} ${'scope' in command ? command.scope : ''}`);
    if (command.name === 'resume' || command.name === 'reduce-only') {
      this.#resumes++;
      this.#inForce.clear();
    }
    const [resumes, askedAt] = [this.#resumes, this.time];
    this.#after(0, bot, () => void this.#typed(bot, command, resumes, askedAt), true);
  }

  /** A halt of the whole bot counts from here on, whether a bot runs or not. */
  #recorded(name: string): void {
    this.met.operator++;
    this.note(`operator: ${name} through a file`);
    this.#inForce.add(name);
  }

  async #typed(bot: Life, command: OperatorCommand, resumes: number, askedAt: number): Promise<void> {
    const result = await bot.operate(command, askedAt);
    if (result === null || !result.ok) return;
    this.note(`operator was told: ${result.did.join('; ')}`);
    const isAll = 'scope' in command ? command.scope === 'all' : true;
    const isOn = !('isOn' in command) || command.isOn;
    // Resumed meanwhile: nothing is in force that was typed before.
    if (resumes !== this.#resumes) return;
    if (['halt', 'kill', 'reduce-only'].includes(command.name) && isAll && isOn) this.#inForce.add(command.name);
  }

  /** From now on nothing goes wrong any more. */
  calm(): void {
    this.isCalm = true;
    this.network.isCalm = true;
    this.#wallOff = 0;
    this.#midOff = 0;
  }

  #begin(name: string): void {
    this.#stirred = true;
    void this.#start(`${name}${++this.met.lives}`).catch((error: unknown) => {
      if (!(error instanceof StoreError)) this.ledger.wrong('unknown', `the bot does not start: ${String(error)}`);
      else if (!this.isCalm || error.code !== 'corrupt') this.#after(AGAIN_MS, null, () => this.#begin(name), true);
      this.note(`${name}: ${error instanceof StoreError ? `does not start, the store is ${error.code}` : String(error)}`);
    });
  }

  async #start(name: string): Promise<void> {
    this.note(`${name}: starts`);
    let life: Life | null = null;
    const start = { isDead: false, pausedUntil: 0 };
    try {
      const store = await this.#open(name, () => life ?? start);
      life = await Life.begin(this.#port, name, store, () => this.#configuration.now(this.met.lives, this.#decisions));
    } catch (error) {
      // The process ends, and its timers with it.
      start.isDead = true;
      throw error;
    }
    const { store } = life;
    for (const id of life.durable.accepted) this.accepted.add(id);
    if (this.met.rollbacks > 0) this.network.forget(life.durable.commands);
    if (store instanceof DiskStore) this.#stores.set(life, store);
    this.lives.push(life);
    this.note(`${name}: runs`);
  }

  async #open(name: string, process: () => Process): Promise<Store> {
    if (this.#redis !== null) return this.#redis.open(process, name);
    const boundary = (where: Boundary): void => {
      const one = process();
      if (one instanceof Life) this.#boundary(one, where);
    };
    return new DiskStore(this.#disk, {
      commitMs: this.plan.commitMs,
      after: (ms, run) => this.#after(ms, process(), run, true),
      onCommit: () => boundary('commit'),
      onDurable: () => boundary('durable'),
    });
  }

  #schedule(one: Incident): void {
    switch (one.kind) {
      case 'pause':
        return this.#at(one.at, () => {
          const { bot } = this;
          if (bot === null || this.isCalm) return;
          this.note(`${bot.name}: stands still for ${one.ms} ms`);
          bot.pausedUntil = Math.max(bot.pausedUntil, this.time + one.ms);
        });
      case 'clock':
        this.#at(one.at, () => {
          if (this.isCalm) return;
          this.note(`the wall clock is set by ${one.byMs} ms`);
          this.#wallOff = one.byMs;
        });
        return this.#at(one.at + one.forMs, () => {
          if (this.isCalm) return;
          this.note('the wall clock is set right');
          this.#wallOff = 0;
        });
      case 'operator':
        return this.#at(one.at, () => {
          if (!this.isCalm) this.operate(commandOf(one, SYMBOLS.slice(0, this.plan.symbols)));
        });
      case 'human':
        return this.#at(one.at, () => this.person.trade(one));
      case 'spike':
        this.#at(one.at, () => (this.#midOff += one.ticks));
        return this.#at(one.at + one.forMs, () => (this.#midOff -= this.isCalm ? 0 : one.ticks));
      case 'away':
        return this.#at(one.at, () => {
          if (this.isCalm || this.#redis === null) return;
          this.note(`redis is away for ${one.forMs} ms`);
          this.#redis.away(one.forMs);
        });
      case 'change':
        return this.#at(one.at, () => {
          if (this.isCalm) return;
          this.note(`the configuration is changed: ${one.what}`);
          this.#configuration.change(one.what);
          const { bot } = this;
          if (bot !== null) this.#crash(bot, { kind: 'crash', where: 'heard', nth: 0, kept: true, downMs: one.downMs, back: 0 });
        });
      case 'second':
        return this.#at(one.at, () => this.#redis !== null && this.#begin('b'));
      default:
        return;
    }
  }

  /** A moment at which a process can die. */
  #boundary(life: Life, where: Boundary): void {
    if (this.isCalm || life.isDead) return;
    const nth = (this.#boundaries.get(where) ?? 0) + 1;
    this.#boundaries.set(where, nth);
    const crash = this.#crashes.find((one) => one.where === where && one.nth === nth);
    if (crash !== undefined) this.#crash(life, crash);
  }

  #crash(life: Life, { where, nth, kept, downMs, back }: Extract<Incident, { kind: 'crash' }>): void {
    this.met.crashes++;
    this.note(`${life.name}: CRASH at ${where} ${nth}${where === 'commit' ? (kept ? ', the disk has it' : ', its tail is torn') : ''}`);
    for (const id of life.durable.accepted) this.accepted.add(id);
    this.#stores.get(life)?.crash(kept);
    life.die();
    const name = life.name.slice(0, 1);
    this.#after(
      downMs,
      null,
      () => {
        if (back > 0 && this.#redis === null && this.#disk.restore(back)) {
          this.met.rollbacks++;
          // What a person typed may be among what is lost. The file beside the store, which keeps a person's halts, is not simulated.
          this.#inForce.clear();
          this.note(`the disk is put back by ${back} commits`);
        }
        this.#begin(name);
      },
      true,
    );
  }

  #failed(life: Life): void {
    const { failure } = life.gate;
    this.note(`${life.name}: fails, the store is ${failure instanceof StoreError ? failure.code : String(failure)}`);
    for (const id of life.durable.accepted) this.accepted.add(id);
    this.#after(0, null, () => life.die());
    void life.store.close().catch(() => undefined);
    this.#after(AGAIN_MS, null, () => this.#begin(life.name.slice(0, 1)), true);
  }

  /** Bytes of a command leave: its record must be durable, nothing may forbid it. */
  #leaving(life: Life, command: Command): void {
    this.met.commands++;
    const { ledger, plan } = this;
    const { kind, seq } = command;
    const id = life.idOf(seq);
    this.note(
      `${life.name}: sends ${seq} (${id}) kind ${kind} leg ${2 * command.instrument + command.side} effect ${command.effect} size ${command.size} price ${command.price} target ${command.target}`,
    );
    if (isCancel(kind)) return;
    checkConfigured(ledger, life, command, id);
    this.sent.push({ life, at: this.time });
    if (!life.durable.commands.has(id)) ledger.wrong('unexplained', `${id} leaves, and no durable record says so`);
    if (life.store.maySend === false) ledger.wrong('limits', `${id} leaves after the lease ended`);
    if (life.isPaused(command, 2 * plan.commitMs + 200)) ledger.wrong('limits', `${id} leaves while the venue wants a pause`);
    if (kind !== MODIFY && opens(command) && this.#seen.size > 0) {
      const lots = ledger.exposure((one) => !this.#seen.has(one))[2 * command.instrument + command.side]! + command.size;
      if (lots > MOST_LOTS) ledger.wrong('limits', `${id} opens: ${lots} lots with an order that the bot has seen land late`);
    }
    if (opens(command) && !life.clocks.mayOpen) ledger.wrong('limits', `${id} opens before positions are read by the venue's clock`);
    if (opens(command) && this.#inForce.size > 0) ledger.wrong('limits', `${id} opens after ${[...this.#inForce].join(', ')}`);
    const [off = 0, ...ours] = [life.signed(), life.clock.now(), life.clock.wall()].map((time) => Math.abs(time - this.time));
    // One of its two clocks is right: that one signs.
    if (life.knowsVenueTime && !hasOtherClocks(plan) && off > SIGNED_WITHIN_MS && Math.min(...ours) < SIGNED_WITHIN_MS / 4)
      ledger.wrong('limits', `${id} is signed with a time that is ${off} ms off`);
  }

  #told(life: Life, id: string, lots: number): void {
    this.note(`${life.name}: the strategy is told ${lots} of ${id}`);
    this.network.listener?.told(id, lots);
    const [told, filled] = [life.told.get(id) ?? 0, this.ledger.filled.get(id) ?? 0];
    // No list shows a trigger order: what a human traded may be taken for its fill, and so may that of an order which a journal has forgotten
    // that was put back.
    const isGuess = this.met.rollbacks > 0 || (this.person.trades > 0 && this.plan.triggers !== 'none');
    if (told > filled && !isGuess) this.ledger.wrong('unexplained', `${id}: the strategy was told ${told} lots, ${filled} filled`);
  }

  #logged(life: Life, level: string, event: string, fields: Readonly<Record<string, unknown>>): void {
    if (event === 'assertion-failed') this.ledger.wrong('unknown', `a check of the bot's own state failed: ${String(fields['error'])}`);
    if (event === 'position-without-strategy') life.named.add(`${String(fields['symbol'])} ${String(fields['side'])}`);
    if (event === 'late-landing') this.#seen.add(life.idOf(Number(fields['seq'])));
    if (event === 'split-brain') this.#seen.add(String(fields['clientId']));
    // What it says is true: another bot has the lease, and this one is about to learn it.
    if (event === 'split-brain' && life.store.maySend === false) return;
    if (event === 'fills-undecided') for (const seq of fields['orders'] as number[]) this.undecided.add(life.idOf(seq));
    if (level === 'info') return;
    this.logged.set(event, (this.logged.get(event) ?? 0) + 1);
    this.note(`${life.name}: ${level} ${event}`, fields);
  }

  /** Every order that rests is in the exposure with all that it may still fill. */
  #checkExposure(): void {
    const { bot } = this;
    if (bot === null || bot.kernel.phase !== 'armed') return;
    for (const market of bot.kernel.markets) {
      for (const leg of [market.long, market.short]) {
        const own = market.orders.filter((one) => one.state === 'working' && one.side === leg.side);
        const sum = (effect: string): number => own.filter((one) => one.effect === effect).reduce((lots, one) => lots + one.remaining, 0);
        if (!(leg.opening > sum('OPEN') - market.lot / 2 && leg.closing > sum('CLOSE') - market.lot / 2))
          this.ledger.wrong('limits', `the exposure of ${market.symbol} ${leg.side} is less than what rests`);
      }
    }
  }

  #at(ms: number, run: () => void): void {
    this.#events.push({ at: START + ms, no: this.#no++, life: null, run, stirs: false });
  }

  #after(ms: number, life: Process | null, run: () => void, stirs = false): void {
    this.#events.push({ at: this.time + ms, no: this.#no++, life, run, stirs });
  }

  async #until(time: number): Promise<void> {
    const { sim } = this;
    for (;;) {
      if (this.#stirred) {
        this.#stirred = false;
        await setImmediate();
        continue;
      }
      const event = this.#events.first;
      let due = Math.min(sim.nextDue, event?.at ?? Infinity);
      let ringing: Life | null = null;
      for (const life of this.lives) {
        if (life.isDead) continue;
        const at = Math.max(life.alarmAt, life.pausedUntil);
        if (at < due) {
          due = at;
          ringing = life;
        }
      }
      if (due > time) break;
      this.time = Math.max(this.time, due);
      if (sim.nextDue <= this.time) sim.advance(this.time);
      if (ringing !== null) {
        ringing.ring();
        this.#stirred = true;
      } else if (event !== undefined && event.at <= this.time) this.#run(this.#events.pop());
      this.network.look(this.time);
      checkNet(this);
      this.ledger.checkLimits();
    }
    this.time = time;
  }

  #run({ life, no, run, stirs }: Event): void {
    if (life !== null && life.isDead) return;
    if (life !== null && life.pausedUntil > this.time) {
      this.#events.push({ at: life.pausedUntil, no, life, run, stirs });
      return;
    }
    run();
    if (stirs || this.plan.store === 'redis') this.#stirred = true;
  }
}
