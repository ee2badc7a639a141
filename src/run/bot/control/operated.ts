/** Implements the control interface of a running bot (operable.ts). */
import { once } from '../../../base/once.ts';
import type { Credentials } from '../../../base/secret.ts';
import { parseBaseUrl } from '../../../edge/http/base-url.ts';
import type { BotConfig } from '../../../config/model.ts';
import { watchdogStart } from '../../../config/watchdog-start.ts';
import type { StatusAnswer, WhyAnswer } from '../../../control/answers.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import type { AccountLock } from '../../../edge/file/account-lock.ts';
import type { Lines } from '../../../edge/node-http.ts';
import type { LogOutput } from '../../../edge/log/pino-log.ts';
import { machineNow } from '../../../edge/time/machine-clock.ts';
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { OrderThrottle } from '../../../engine/polling/order-throttle.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import { nameOf } from '../../../engine/strategy/definition/setup.ts';
import type { Store } from '../../../ports/store.ts';
import type { ReloadedTexts } from '../../session/strategy-texts.ts';
import type { BotSocket } from './bot-socket.ts';
import type { Heartbeat } from '../life/heartbeat.ts';
import type { RunningBot } from '../life/running-bot.ts';
import { accountIdOf } from '../store/account-guard.ts';
import type { DurableGate } from '../store/durable-gate.ts';
import type { JournalUpkeep } from '../store/journal-upkeep.ts';
import type { DurableHalts } from '../store/durable-halts.ts';
import { loadAgain } from '../../setup/strategy/load-strategy.ts';
import { programVersion } from '../../setup/version.ts';
import { asLoaded } from '../../setup/strategy/loaded-sources.ts';
import type { Operable } from './operable.ts';
import { isStop, Operations } from './operations.ts';
import { memoryUsed, statusOf } from '../life/bot-status.ts';
import type { EventLoop } from '../life/event-loop.ts';
import { partsOf } from '../answers/account-parts.ts';
import { kernelStatus } from '../answers/kernel-status.ts';
import { orderOf } from '../answers/views.ts';

export interface OperatedDeps {
  readonly bot: RunningBot;
  readonly config: BotConfig;
  readonly credentials: Credentials;
  readonly lock: Pick<AccountLock, 'account'>;
  /** True if the venue is a paper exchange in this process. */
  readonly hasOwnVenue: boolean;
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  readonly kernel: Kernel;
  readonly events: Pick<KernelInbox, 'operate'>;
  readonly loop: EventLoop;
  readonly gate: DurableGate;
  readonly throttle: Pick<OrderThrottle, 'waiting' | 'waitingSince' | 'nextDue'>;
  readonly store: Store;
  readonly upkeep: Pick<JournalUpkeep, 'newest' | 'profit'>;
  readonly socket: Pick<BotSocket, 'asked'>;
  /** null if it could not be opened, or there is to be no watchdog. */
  readonly heartbeat: Pick<Heartbeat, 'isWatched'> | null;
  readonly halts: Pick<DurableHalts, 'failure'>;
  readonly log: LogOutput;
  readonly changes: { open(after: string): Lines };
  readonly addition: Operable['addition'];
}

const ownVersion = once(programVersion);

const OTHERS_WAIT_MS = 2_000;
/** Time for an answer to leave before the socket is closed. */
const ANSWERED_MS = 100;
/** Number of journal records read without a pause. */
const READ_AT_ONCE = 2_000;

export function operatedBot(deps: OperatedDeps): Operable {
  const { bot, gate, ids, instruments, kernel, log } = deps;
  const money = { accountId: accountIdOf(deps.lock, deps.credentials), marginCoin: instruments[0]!.quoteCoin };
  const durable = (): Promise<boolean> => within(gate.durable(), OTHERS_WAIT_MS);
  const { asked } = deps.socket;
  const operations = new Operations({
    ...deps,
    durable,
    asked,
    now: () => bot.clock.now(),
    machineNow,
    begunAt: machineNow() - process.uptime() * 1_000,
  });
  const orderFacts = { instruments, ids, bracketOf: (order: number) => kernel.bracketOf(order) };
  return {
    ids,
    rotateEpoch: () => bot.rotateEpoch(),
    instruments,
    status: () => ({ ...statusAnswer(deps), ...money }),
    why: (what) => whyNow(deps, what),
    levels: () => kernel.why.levels(bot.clock.now()),
    orders: () => kernel.liveOrders().map((order) => orderOf(order, orderFacts)),
    records: (position = 1) => records(deps.store, position),
    lastRecord: () => deps.store.last(),
    image: () => imageOf(deps),
    profit: () => deps.upkeep.profit(),
    note: async (facts) => {
      operations.note(facts);
      await durable();
    },
    addition: deps.addition,
    openAgain() {
      void gate.durable().then((isDurable) => {
        if (isDurable) setTimeout(() => bot.openAgain(), ANSWERED_MS);
      });
    },
    reread: (name) => reread(kernel, name),
    operate: (command, askedAt) => operate(deps, operations, command, askedAt),
    endFenced: (why) => bot.endFenced(why),
    asked: (id) => asked.answerTo(id),
    durable: () => gate.durable(),
    tail: (since) => tailOf(log, since),
    changes: (after) => deps.changes.open(after),
  };
}

async function imageOf({ store, config }: Pick<OperatedDeps, 'store' | 'config'>): ReturnType<Operable['image']> {
  const { bot, store: kept } = config;
  if (kept.kind === 'memory' || store.image === undefined) return null;
  return { ...(await store.image()), bot, store: kept.kind };
}

/** null if there is no such strategy. */
async function reread({ setups }: Kernel, name: string): Promise<ReloadedTexts | null> {
  const setup = name === '' && setups.length === 1 ? setups[0] : setups.find((one) => nameOf(one) === name);
  if (setup?.file === undefined) return null;
  const before = setup.reload?.source ?? asLoaded(setup.file, setup.strategy);
  return { strategy: nameOf(setup), source: await loadAgain(setup.file), before };
}

function tailOf(log: LogOutput, since: number): Lines {
  const { kept } = log;
  if (since < kept.from) {
    const from = new Date(kept.from).toISOString();
    throw new RangeError(`"since": expected a time from ${from} on: older lines are no longer in memory, look into the file of the log`);
  }
  return { past: kept.since(since), begin: (write) => log.listen(write) };
}

async function operate(
  { halts, log }: OperatedDeps,
  operations: Operations,
  command: OperatorCommand,
  askedAt: number,
): Promise<OperatorResult> {
  const { result, isDurable } = await operations.operate(command, askedAt);
  if (!isOk(result)) return result;
  const { by, name } = command;
  const stops = isStop(command);
  const told = [...result.did];
  if (!isDurable) {
    log.error('operator-not-durable', { command: name, by });
    const isKept = stops && halts.failure === '';
    const hint = isKept ? 'it is in effect, and the file beside the store keeps it after a restart' : 'a restart may lose it';
    told.push(`it is not in the journal yet: ${hint}`);
  }
  if (stops && halts.failure !== '')
    told.push(`it is not in the file beside the store (${halts.failure}): the loss of the store would end it`);
  return { ...result, did: told };
}

function isOk(result: OperatorResult): result is Extract<OperatorResult, { ok: true }> {
  return result.ok;
}

async function within(done: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function* records(store: Store, from: number): ReturnType<Store['read']> {
  let count = 0;
  for await (const record of store.read(from)) {
    yield record;
    // Pauses, so that the bot's turns go on while a long journal is read.
    if (++count % READ_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function whyNow({ bot, kernel, throttle }: OperatedDeps, symbol: string): WhyAnswer {
  const now = bot.clock.now();
  const { waiting, waitingSince: since, nextDue } = throttle;
  const outside = { throttle: { waiting, since, nextDue }, troubles: bot.counts().answers.troubles };
  return { time: now, isReplayed: false, ladders: kernel.why.at({ now, endedAt: 0, outside, symbol }), lines: [] };
}

function accountOf({ hasOwnVenue, config }: Pick<OperatedDeps, 'hasOwnVenue' | 'config'>): 'paper' | 'local' | 'live' {
  if (hasOwnVenue) return 'paper';
  return parseBaseUrl(config.venue.baseUrl).isLoopback ? 'local' : 'live';
}

function statusAnswer(deps: OperatedDeps): StatusAnswer {
  const { bot, config, socket, instruments, kernel, log } = deps;
  const line = statusOf(bot, log);
  const known = kernelStatus(kernel, instruments);
  const { answeredAt, silentSince, troubles } = bot.counts().answers;
  const { newest } = deps.upkeep;
  const isUnwatched = watchdogStart(config) !== 'off' && deps.heartbeat?.isWatched !== true;
  return {
    ...known,
    bot: config.bot,
    version: ownVersion(),
    isRunning: true,
    time: line.time,
    startedAt: bot.startedAt,
    pid: process.pid,
    venue: config.venue.baseUrl,
    account: accountOf(deps),
    venueAnsweredAt: answeredAt,
    venueSilentSince: silentSince,
    troubles,
    profit: line.pnl,
    today: bot.days.today,
    placed: bot.placed,
    fills: line.fills,
    ...(isUnwatched ? { noWatchdog: true as const } : {}),
    onHold: known.onHold === '' ? socket.asked.onHold : known.onHold,
    parts: newest === null ? [] : partsOf(newest, kernel.setups.map(nameOf), known.positions),
    requests: line.requests,
    errors: line.errors,
    lastError: log.lastError,
    lostLines: log.lost,
    memory: memoryUsed(),
  };
}
