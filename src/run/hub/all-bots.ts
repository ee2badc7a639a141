/** Looks at all bots of a user at the same time, once or again and again. A bot that hangs delays no other. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAllBots } from '../bot/outside/find-bot.ts';
import { runningIn } from '../bot/outside/reach.ts';
import { lookAt, lookAtLost, type Look } from './look.ts';

export interface WhichBots {
  /** Where the person is: bots that were started here are found. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** State folders of further bots. */
  readonly named: readonly string[];
}

/** A look at each bot, by folder. Bots that were stopped are left out unless they are named. */
export async function lookAtAll({ cwd, env, named }: WhichBots): Promise<readonly Look[]> {
  const { found, lost } = findAllBots(cwd, env, named);
  const looks = await Promise.all(found.map(({ folder }) => lookAt(folder)));
  return [...looks.filter(({ state }, k) => state !== 'stopped' || found[k]!.isNamed), ...lost.map(lookAtLost)];
}

const PAUSE_MS = 1_000;
/** The files of a bot that does not run change only when a halt is recorded for it. */
const FILES_MS = 10_000;

interface Watched {
  look: Look;
  /** True if it is shown also when it was stopped: it was named, or seen to run. */
  isKept: boolean;
}

/** Looks at every bot again and again, each by itself, and finds those that are new. */
export class BotWatch {
  readonly #bots = new Map<string, Watched>();
  readonly #which: WhichBots;
  readonly #signal: AbortSignal;
  #named: readonly string[];
  #lost: readonly Look[] = [];

  /** Ends with `signal`. */
  constructor(which: WhichBots, signal: AbortSignal) {
    this.#which = which;
    this.#named = which.named;
    this.#signal = signal;
  }

  /** The newest look at each bot, by folder. One that gives no status now has its last one. */
  get looks(): readonly Look[] {
    const shown = [...this.#bots.values()].filter(({ look, isKept }) => look.state !== 'stopped' || isKept);
    return [...shown.map(({ look }) => look), ...this.#lost].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  }

  name(folders: readonly string[]): void {
    this.#named = [...this.#named, ...folders];
  }

  /** Resolves once `signal` has aborted. */
  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      const { cwd, env } = this.#which;
      const { found, lost } = findAllBots(cwd, env, this.#named);
      this.#lost = lost.map(lookAtLost);
      for (const one of found) {
        const known = this.#bots.get(one.folder);
        if (known !== undefined) known.isKept ||= one.isNamed;
        else void this.#follow(one.folder, one.isNamed);
      }
      await this.#pause();
    }
  }

  /** Until its folder is gone. */
  async #follow(folder: string, isNamed: boolean): Promise<void> {
    const bot: Watched = { look: { folder, state: 'unknown', says: 'not seen yet', status: null, dashboard: '' }, isKept: isNamed };
    this.#bots.set(folder, bot);
    do {
      const look = await lookAt(folder);
      bot.look = { ...look, status: look.status ?? bot.look.status };
      bot.isKept ||= look.state === 'running';
      const until = performance.now() + (look.state === 'stopped' || look.state === 'killed' ? FILES_MS : 0);
      do await this.#pause();
      while (!this.#signal.aborted && performance.now() < until && runningIn(folder) === null);
    } while (!this.#signal.aborted && (bot.look.state === 'running' || existsSync(folder)));
    this.#bots.delete(folder);
  }

  async #pause(): Promise<void> {
    await sleep(PAUSE_MS, undefined, { signal: this.#signal }).catch(() => undefined);
  }
}
