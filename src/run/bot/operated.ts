/** Implements the control interface of a running bot (operable.ts). */
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
/** Number of journal records read without a pause. */
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
 * Runs an operator command. Its journal record is durable before it acts. Commands that stop opens act at once: the marker file is written
 * first, and record and halt are one commit, which orders sent by the command wait for.
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
  const hint = STOPS.has(name) ? 'it is in effect, and the file beside the store keeps it after a restart' : 'a restart may lose it';
  return { ...result, did: [...result.did, `it is not in the journal yet: ${hint}`] };
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
    // Pauses, so that the bot's turns go on while a long journal is read.
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
