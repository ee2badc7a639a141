/** Opens the control socket before the bot is ready. Until then commands are answered with "the bot is starting". */
import type { BotConfig } from '../../../config/model.ts';
import type { RunningControl } from '../../../edge/control/control-server.ts';
import { HaltRequests } from '../../../edge/file/beside/halt-requests.ts';
import { WatchdogCloses } from '../../../edge/file/beside/watchdog-closes.ts';
import { machineNow } from '../../../edge/time/machine-clock.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import type { Log } from '../../../ports/log.ts';
import { answerCopy, COPY_ROUTE } from './copy.ts';
import { StatusFile } from '../../watchdog/status-file.ts';
import { AskedHalts } from '../store/asked-halts.ts';
import { TakenCloses } from '../store/taken-closes.ts';
import type { Operable } from './operable.ts';

export interface BotSocket {
  /** Halts that people ask for through files. They are taken from the moment a bot is served. */
  readonly asked: AskedHalts;
  /** Answers calls with this bot from now on. */
  serve(bot: Operable): void;
  close(): Promise<void>;
}

const STARTING: OperatorResult = { ok: false, code: 'refused', message: 'the bot is starting', hint: 'try again in a moment' };
/** How often the socket is looked at: a file that vanished is made again. */
const LOOK_MS = 500;

/** Opens the socket. A failure is logged, and the socket is tried again: the bot trades on and can be stopped by a signal. */
export async function openBotSocket(config: BotConfig, folder: string, log: Log): Promise<BotSocket> {
  const [{ startControl }, { answerControl }] = await Promise.all([
    import('../../../edge/control/control-server.ts'),
    import('./control.ts'),
  ]);
  let bot: Operable | null = null;
  const deps = {
    operate: (command: OperatorCommand): Promise<OperatorResult> =>
      bot === null ? Promise.resolve(STARTING) : bot.operate(command, machineNow()),
    durable: (): Promise<boolean> => bot?.durable() ?? Promise.resolve(false),
    log,
  };
  const asked = new AskedHalts({
    ...deps,
    requests: new HaltRequests(folder),
    didAbout: (request) => new StatusFile(folder).didAbout(request),
    closes: new TakenCloses({ ...deps, file: new WatchdogCloses(folder) }),
    epoch: () => bot?.ids.epoch ?? 0,
    fenced: (why) => bot?.endFenced(why),
    soon: setImmediate,
    now: () => Date.now(),
  });
  let running: RunningControl | null = null;
  let hasFailed = false;
  const open = async (): Promise<void> => {
    try {
      if (running?.isThere === true) return;
      if (running === null)
        running = await startControl({
          folder,
          port: config.control.port === 0 ? null : config.control.port,
          handler: (method, name, given) =>
            name === COPY_ROUTE && method === 'GET' ? answerCopy(bot, given['from']) : answerControl(bot, method, name, given),
          now: () => performance.now(),
          onError: (error) => log.error('control-failed', { error }),
        });
      else await running.listenAgain();
      hasFailed = false;
      log.info('control-ready', { socket: running.path, ...(running.url === '' ? {} : { url: running.url }) });
    } catch (error) {
      if (!hasFailed) log.error('control-failed', { error, hint: 'it is tried again; `tickwright halt` works without it' });
      hasFailed = true;
    }
  };
  await open();
  let opening = Promise.resolve();
  const timer = setInterval(() => {
    opening = opening.then(open);
  }, LOOK_MS);
  timer.unref();
  return {
    asked,
    serve(one) {
      bot = one;
      asked.start();
    },
    async close() {
      asked.stop();
      clearInterval(timer);
      await opening;
      await running?.close();
    },
  };
}
