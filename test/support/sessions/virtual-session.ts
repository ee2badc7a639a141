/** Records the session of a bot on virtual time: the simulator is its venue, and a random walk its market. */
import { resolve } from 'node:path';
import { Random } from '../../../src/base/random.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { BotConfig, StrategyChoice } from '../../../src/config/model.ts';
import { ClientIds } from '../../../src/domain/orders/client-ids.ts';
import { KernelInbox } from '../../../src/engine/inbox.ts';
import { Kernel } from '../../../src/engine/kernel.ts';
import { OrderThrottle } from '../../../src/engine/polling/order-throttle.ts';
import { recordingJournal } from '../../../src/engine/recovery/records.ts';
import { SILENT_LOG } from '../../../src/ports/log.ts';
import type { Answer } from '../../../src/ports/venue.ts';
import { ANSWERED, type Inbox } from '../../../src/ports/venue-event.ts';
import { VirtualClock } from '../../../src/run/backtest/venue/virtual-clock.ts';
import { kernelSettings } from '../../../src/run/bot/preflight.ts';
import { HEAD, recordedConfig } from '../../../src/run/session/entries.ts';
import { environmentOf } from '../../../src/run/session/recorded-environment.ts';
import { Recorder } from '../../../src/run/session/session-recorder.ts';
import { commandRates, strategySetups } from '../../../src/run/setup/bot-parts.ts';
import { instrumentsOf } from '../../../src/run/setup/instruments/instruments.ts';
import { simTerms } from '../../../src/run/setup/sim-terms.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { SimPort } from '../../../src/sim/port/port.ts';

/** How often the market moves, and the bot saves its state. */
const MARKET_MS = 100;
const SAVE_MS = 5_000;

export interface VirtualSession {
  /** The folder of the bot's sessions. */
  readonly sessions: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly choices: readonly StrategyChoice[];
  readonly risk?: Partial<BotConfig['risk']>;
  /** Time before the start in which the market moved already, and its trades that the venue lists. Default 0. */
  readonly pastMs?: number;
  /** As in the configuration. */
  readonly historyPages?: number;
  /** Called every 100 ms before anything else of that time, with the time since the start. */
  readonly acts?: (sinceMs: number, bot: KernelInbox) => void;
  /** True while no question is answered. */
  readonly isSilent?: (sinceMs: number) => boolean;
}

/** Returns the folder of the session. */
export async function recordVirtualSession(spec: VirtualSession): Promise<string> {
  const { startedAt, choices, pastMs = 0 } = spec;
  const defaults = defaultConfig();
  // The guard takes timers from the whole process, the test's too.
  const own = { bot: 'virtual', strategyGuard: 'off' as const, historyPages: spec.historyPages ?? defaults.historyPages };
  const config = { ...defaults, ...own, risk: { ...defaults.risk, ...spec.risk } };
  const instruments = instrumentsOf(config.instruments);
  const strategies = await strategySetups(choices, instruments);
  const clock = new VirtualClock();
  clock.time = startedAt;
  const identity = { bot: config.bot, epoch: 1 };
  const ids = ClientIds.begin(identity);
  const head = {
    kind: HEAD,
    version: 1,
    startedAt,
    ...environmentOf([]),
    config: recordedConfig(config),
    instruments,
    strategies: choices.map((choice) => ({ ...choice, file: resolve(choice.file) })),
    identity,
    ids: structuredClone(ids.saved()),
    journalEnd: 0,
    snapshot: null,
  } as const;
  const bounds = { enabled: true, maxMegabytes: 1_000, maxDays: 100_000, answers: false, tape: '' };
  const recorder = new Recorder({ config: bounds, folder: spec.sessions, head, log: SILENT_LOG });

  const ignore = (): void => undefined;
  const { leverage, leverages, funding } = simTerms(config.simulation);
  const accounts = [{ name: 'bot', futures: '10000', spot: {}, leverage: leverages }];
  const { fillModel } = config.simulation;
  const sim = new VenueSim(
    { instruments, accounts, fillModel, leverage, funding, historyLimit: 1_000, keepTrades: 1_000 + pastMs / MARKET_MS },
    { wantsFillsAlone: true, order: ignore, ended: ignore, cash: ignore, fill: ignore },
  );
  const port = new SimPort({ sim, account: 0, identity, latency: { upMs: 12, downMs: 9 }, clock, push: false });
  const throttle = new OrderThrottle({ orders: port, clock, rates: commandRates(config) });
  const kernel = new Kernel({
    ...kernelSettings(config, { instruments, strategies }),
    orders: recorder.orders(throttle),
    reads: recorder.reads(port),
    clock,
    log: recorder.log(SILENT_LOG),
    journal: recordingJournal(instruments, (record) => recorder.journal(record)),
    identity,
    ids,
    journalEnd: 0,
  });
  recorder.keepWhy(kernel);
  const inbox = new KernelInbox(recorder.taker(kernel), clock);
  const answers: Inbox = {
    take(event) {
      const query = event.query!;
      if (spec.isSilent?.(clock.time - startedAt) === true) inbox.take(event.failed(query, 'timeout'));
      else {
        if (event.kind === ANSWERED) event.answer = written(event.answer!);
        inbox.take(event);
      }
    },
  };
  throttle.connect(inbox, (command) => kernel.vetoOf(command));
  port.connect(inbox, answers);

  const due = (): number => Math.min(sim.nextDue, port.nextDue, throttle.nextDue, kernel.nextTimer);
  const runUntil = (time: number): void => {
    for (let at = due(); at <= time; at = due()) {
      clock.time = Math.max(clock.time, at);
      const now = clock.time;
      if (sim.nextDue <= now) sim.advance(now);
      if (port.nextDue <= now) port.run();
      if (kernel.nextTimer <= now) inbox.runTimers(now);
      if (throttle.nextDue <= now) throttle.drain(now);
      recorder.afterTurn();
    }
    clock.time = Math.max(clock.time, time);
  };
  const random = new Random(7);
  let [price, trades] = [600_000, 0];
  const move = (): void => {
    price += random.below(41) - 20;
    sim.quote(0, price, 1_000, price + 1, 1_000, clock.time);
    sim.trade(0, price, 10, 0, clock.time, ++trades);
  };
  for (let since = -pastMs; since < 0; since += MARKET_MS) {
    clock.time = startedAt + since;
    if (sim.nextDue <= clock.time) sim.advance(clock.time);
    move();
  }
  clock.time = startedAt;
  inbox.start();
  for (let since = 0; since <= spec.durationMs; since += MARKET_MS) {
    runUntil(startedAt + since - 1);
    clock.time = startedAt + since;
    spec.acts?.(since, inbox);
    runUntil(clock.time);
    move();
    if (since % SAVE_MS === 0) recorder.snapshot(() => kernel.snapshot());
    recorder.afterTurn();
  }
  recorder.close();
  return recorder.folder;
}

/** The simulator gives trades whose id is made when it is asked for. A recording has values alone. */
function written(answer: Answer): Answer {
  if (answer.kind !== 'trades') return answer;
  return { ...answer, trades: answer.trades.map((trade) => ({ ...trade, tradeId: trade.tradeId })) };
}
