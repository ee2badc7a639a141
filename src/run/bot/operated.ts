/** A running bot as the control plane sees it, made of its parts. */
import type { BotConfig } from '../../config/model.ts';
import type { StatusAnswer } from '../../control/answers.ts';
import type { ClientIds } from '../../domain/client-ids.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { LogOutput } from '../../edge/log/log.ts';
import type { KernelInbox } from '../../engine/inbox.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { OperatorCommand, OperatorResult } from '../../engine/operator/command.ts';
import type { StrategySetup } from '../../engine/strategy/setup.ts';
import type { JournalRecord, Store } from '../../ports/store.ts';
import type { RunningBot } from './running-bot.ts';
import type { DurableGate } from './durable-gate.ts';
import type { Operable } from './operable.ts';
import { statusOf } from './status.ts';
import type { EventLoop } from './event-loop.ts';
import { orderOf, positionsOf, strategiesOf } from './views.ts';

export interface OperatedParts {
  readonly bot: RunningBot;
  readonly config: BotConfig;
  readonly ids: ClientIds;
  readonly instruments: readonly Instrument[];
  readonly setups: readonly StrategySetup[];
  readonly kernel: Kernel;
  readonly events: Pick<KernelInbox, 'operate'>;
  readonly turns: EventLoop;
  readonly gate: DurableGate;
  readonly store: Store;
  readonly log: LogOutput;
}

const OTHERS_WAIT_MS = 2_000;
const STOPS: ReadonlySet<OperatorCommand['name']> = new Set(['halt', 'kill', 'reduce-only']);
/** So many records of the journal are read without a pause. */
const READ_AT_ONCE = 2_000;

export function operatedBot(parts: OperatedParts): Operable {
  const { bot, ids, instruments, kernel, log } = parts;
  return {
    ids,
    rotateEpoch: () => bot.rotateEpoch(),
    instruments,
    status: () => statusAnswer(parts),
    orders: () => kernel.liveOrders().map((order) => orderOf(order, instruments, ids)),
    records: () => records(parts.store),
    note: async (facts) => {
      writeDown(parts, facts, bot.clock.now());
      await within(parts.gate.durable(), OTHERS_WAIT_MS);
    },
    operate: (command) => operate(parts, command, bot.clock.now()),
    tail: (write) => log.listen(write),
  };
}

/**
 * The command's record is made durable before the command acts. What stops opens acts at once, and its record and its halt are one commit:
 * what it sends waits for that commit as every command does, and the marker file beside the store is written before.
 */
async function operate({ turns, gate, events, log }: OperatedParts, command: OperatorCommand, now: number): Promise<OperatorResult> {
  const { name } = command;
  let result = null as OperatorResult | null;
  const act = (): void => {
    result = events.operate(command);
  };
  if (STOPS.has(name)) {
    turns.take(() => {
      gate.append(recordOf({ ...command }, now));
      act();
    });
  } else {
    writeDown({ turns, gate }, { ...command }, now);
    await within(gate.durable(), OTHERS_WAIT_MS);
    turns.take(act);
  }
  if (result === null) return { ok: false, code: 'refused', message: 'the bot is stopping', hint: 'start it again' };
  const isDurable = await within(gate.durable(), OTHERS_WAIT_MS);
  if (isDurable || !isOk(result)) return result;
  log.error('operator-not-durable', { command: name, by: command.by });
  const hint = STOPS.has(name) ? 'it holds now, and the file beside the store keeps it over a restart' : 'it may be forgotten by a restart';
  return { ...result, did: [...result.did, `the journal has not taken it yet: ${hint}`] };
}

function writeDown({ turns, gate }: Pick<OperatedParts, 'turns' | 'gate'>, data: Readonly<Record<string, unknown>>, time: number): void {
  turns.take(() => gate.append(recordOf(data, time)));
}

function recordOf(data: JournalRecord['data'], time: number): JournalRecord {
  return { kind: 'operator', seq: 0, time, data };
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

async function* records(store: Store): ReturnType<Store['read']> {
  let count = 0;
  for await (const record of store.read(1)) {
    yield record;
    // A long journal is read between the bot's turns.
    if (++count % READ_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function statusAnswer({ bot, config, instruments, setups, kernel, log }: OperatedParts): StatusAnswer {
  const line = statusOf(bot, log);
  const { halts, strategies, counts } = kernel.status();
  return {
    bot: config.bot,
    isRunning: true,
    phase: line.phase,
    time: line.time,
    startedAt: bot.startedAt,
    pid: process.pid,
    venue: config.venue.baseUrl,
    equity: line.equity,
    profit: line.pnl,
    orders: line.orders,
    fills: line.fills,
    unknownOutcomes: line.unknown,
    halts: halts.map(({ scope, code, detail, since, by, ends }) => ({ scope, code, detail, since, by, ends })),
    strategies: strategiesOf({ setups, instruments, set: kernel.paramsSet, figures: strategies }),
    positions: positionsOf(kernel.markets, instruments),
    requests: line.requests,
    errors: line.errors,
    counts,
  };
}
