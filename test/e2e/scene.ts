/** One bot and its exchange in their own folders, moments to kill them, and the final comparison. */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/base/random.ts';
import { audit, journalIn, summary, type Audit, type Journal } from './audit.ts';
import { DEMO, freshFolder, launch, ROOT, STOPPED, type Program, type Setting } from './process.ts';

const BUSY = 'test/e2e/strategies/busy.ts';
/** The strategy reads a file and a variable, which strategies may not do. */
const UNGUARDED = { TICKWRIGHT_STRATEGY_GUARD: 'off' };
/** Short absence horizon: on loopback nothing arrives later. */
const HORIZON = ['--set', 'orderHorizonMs=2000', '--set', 'listLagMs=2000'];

const INSTRUMENTS = join(ROOT, 'config/instruments.json');

export class Scene {
  readonly folder = freshFolder();
  readonly calmFile = join(this.folder, 'calm');
  readonly ledgerFolder = join(this.folder, 'exchange');
  readonly botFolder = join(this.folder, 'bot');
  readonly #market: readonly string[];

  constructor(seed: number) {
    this.#market = ['--synth', '--seed', String(seed), '--speed', '4'];
  }

  exchange(port = '0', more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Program {
    return launch(['exchange', ...this.#market, '--port', port, '--state', this.ledgerFolder, ...more], env);
  }

  run(url: string, settings: readonly string[] = [], env: Readonly<Record<string, string>> = {}, setting: Setting = {}): Program {
    const set = [`venue.baseUrl=${url}`, `store.folder=${this.botFolder}`, ...settings].flatMap((one) => ['--set', one]);
    const all = { ...DEMO, ...UNGUARDED, CALM_FILE: this.calmFile, ...env };
    return launch(['run', '--config', 'config/paper.yaml', '--strategy', BUSY, ...HORIZON, ...set], all, setting);
  }

  start(): Program {
    const args = ['start', ...this.#market, '--config', 'config/paper.yaml', '--state', this.folder, '--strategy', BUSY];
    return launch([...args, ...HORIZON, '--set', `store.folder=${this.botFolder}`], { ...UNGUARDED, CALM_FILE: this.calmFile });
  }

  /**
   * Waits for a random moment: when the journal is written (a command is about to be sent), when the exchange has written (a command has
   * arrived, its answer is on its way), a little later, or any time.
   */
  async untilMoment(random: Random): Promise<void> {
    await sleep(random.below(400));
    const kind = random.uniform();
    if (kind >= 0.8) return;
    const path = kind < 0.4 ? join(this.botFolder, 'store.sqlite-wal') : join(this.ledgerFolder, 'ledger.jsonl');
    await untilWritten(path, performance.now() + 500);
    if (random.uniform() < 0.5) spin(random.uniform() * 3);
  }

  /** Waits until the bot's journal is written: a command is about to be sent, or an outcome has arrived. */
  async untilJournalWritten(): Promise<void> {
    await untilWritten(join(this.botFolder, 'store.sqlite-wal'), performance.now() + 500);
  }

  async killAtMoment(bot: Program, random: Random): Promise<void> {
    await this.untilMoment(random);
    await bot.kill('SIGKILL');
  }

  /** Kills the exchange as soon as an order has reached it, or at any time. */
  async killExchangeAtMoment(exchange: Program, random: Random): Promise<void> {
    await sleep(random.below(400));
    if (random.uniform() < 0.7) await untilWritten(join(this.ledgerFolder, 'ledger.jsonl'), performance.now() + 500);
    await exchange.kill('SIGKILL');
  }

  /** Makes the strategy quiet, and waits until no symbol is halted and all reads are done. */
  async calmDown(bot: Program): Promise<void> {
    writeFileSync(this.calmFile, '');
    // On a busy machine the answer to a last command may be late: its outcome is then unknown and its symbol halted again.
    for (let before = -1, now = 0; before !== now;) {
      await this.untilFree(bot);
      before = bot.logged('symbol-halted').length;
      await sleep(2_000);
      now = bot.logged('symbol-halted').length;
    }
  }

  /**
   * Stops a bot that is calm. A stop waits some seconds for answers. If an order has none then, the bot is started again, once, to learn what
   * became of it. Returns the one that was stopped last.
   */
  async stop(bot: Program, url: string, settings: readonly string[] = []): Promise<Program> {
    await stopped(bot);
    if (!bot.logged('order-left').some(({ venueId }) => venueId === '')) return bot;
    const next = this.run(url, settings);
    await this.calmDown(next);
    await stopped(next);
    return next;
  }

  /** Waits until no symbol is halted. */
  async untilFree(bot: Program): Promise<void> {
    // A fill may be reported before: orders that ended during downtime are read before the bot is armed.
    await bot.untilLogged('armed');
    const halts = (): number => bot.logged('symbol-halted').length + restored(bot);
    await bot.until('no symbol is halted', () => halts() <= bot.logged('halt-lifted').length);
  }

  /**
   * Compares the exchange's ledger with the bot's journal, exact to the last order and lot. `bot` was stopped cleanly, the exchange has
   * ended.
   */
  async compare(name: string, kills: number, bot: Program, journal?: Journal, instrumentsFile = INSTRUMENTS): Promise<Audit> {
    const known = journal ?? (await journalIn(this.botFolder, 'paper'));
    const result = audit(this.ledgerFolder, known, bot.logged('stopped')[0], instrumentsFile);
    console.info(summary(name, result, kills));
    return result;
  }
}

async function stopped(bot: Program): Promise<void> {
  await bot.kill('SIGTERM');
  if (!STOPPED.includes(bot.code)) throw new Error(`expected a stop with one of the codes ${STOPPED.join(', ')}, found ${bot.code}`);
}

/** Log events for a journal and an exchange that do not match. */
export function alarms(bot: Program): string[] {
  const grave = new Set([
    'journal-rollback',
    'id-collision',
    'unexpected-order',
    'late-landing',
    'opens-halted',
    'bot-failed',
    'foreign-order',
  ]);
  return bot.log.filter(({ event }) => grave.has(event)).map(({ event }) => event);
}

/** Number of orders without an outcome at the bot's restart. */
export function reopened(bot: Program): number {
  return bot.logged('symbol-halted').filter((line) => line['cause'] === 'restart').length;
}

/** Halts of the previous process, restored from the journal. Those of the restart itself are in the log, and may end before it is armed. */
function restored(bot: Program): number {
  const lines = bot.log;
  const armed = lines.findIndex(({ event }) => event === 'armed');
  const before = (event: string): number => lines.slice(0, armed).filter((line) => line.event === event).length;
  return Number(lines[armed]?.['halts'] ?? 0) - before('symbol-halted') + before('halt-lifted');
}

/** Polls without a pause: a timer would be too late for the moment between two steps of the other process. */
async function untilWritten(path: string, end: number): Promise<void> {
  const before = stamp(path);
  while (performance.now() < end) {
    for (let look = 0; look < 200; look++) if (stamp(path) !== before) return;
    await sleep(0);
  }
}

function stamp(path: string): string {
  if (!existsSync(path)) return '';
  const { mtimeNs, size } = statSync(path, { bigint: true });
  return `${mtimeNs} ${size}`;
}

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
