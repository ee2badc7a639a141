/**
 * Plays what strategies asked for in a session, as strategies that ask for the same at the same calls: in place of their texts. A replay
 * finds it out. What depends on more than the calls (managed trades, executions, indicators) may differ, which the replay of the black box
 * then says.
 */
import type { AnyStrategy } from '../../engine/strategy/definition/define.ts';
import type { StrategySource } from '../../engine/strategy/definition/source.ts';
import type { StrategyHandlers } from '../../engine/strategy/definition/types.ts';
import { Failure } from '../../base/failure/failure.ts';
import { isRecord } from '../../base/fields.ts';
import { openSession, settingsOf } from '../replay/replay.ts';
import { Player } from '../replay/player.ts';
import { OWN_WORDS } from './allowed-fields.ts';
import { isAmount } from './scrubber.ts';

/** Methods of the context that ask for something; the rest only look, or write for people. */
const ACTING: ReadonlySet<string | symbol> = new Set(
  `place open close limit quote modify cancel cancelAll placeTrigger spot setMarginMode ensureMargin setTimer cancelTimer schedule unschedule enter twap
  iceberg peg oco grid`.split(/\s+/),
);
/** Whose texts are names of the strategy's own. */
const NAMING: ReadonlySet<string> = new Set(['setTimer', 'cancelTimer', 'schedule', 'unschedule']);

/** The words of the made program, apart, so that this file does not read as one that has such an import and export. */
const EXPORTED = ['export', 'default'].join(' ');
const DOOR = 'tickwright';

/** By number of the call of a handler, from 1: method and arguments. */
type Calls = Record<number, unknown[][]>;

/** One for each strategy of the session. @throws Failure if the session does not replay */
export async function intentsOf(folder: string): Promise<readonly StrategySource[]> {
  const session = openSession(folder);
  const { head, entries } = session;
  const settings = await settingsOf(session, head.strategies, head.snapshot, true);
  const heard = settings.strategies.map(({ strategy }) => new Heard(strategy));
  const player = new Player(
    head,
    { ...settings, strategies: settings.strategies.map((setup, k) => ({ ...setup, strategy: heard[k]!.strategy })) },
    entries,
  );
  player.play({});
  const { divergence } = player.result();
  if (divergence !== null)
    throw new Failure('session-unreadable', {
      what: `the session does not replay, so what its strategies asked for is not known: it differs after event ${divergence.event}`,
      where: folder,
    });
  return heard.map((one, k) => ({ sha256: '', files: [{ file: '/strategy.ts', text: one.text(`strategy-${k + 1}`) }] }));
}

class Heard {
  /** The same strategy, which is listened to. */
  readonly strategy: AnyStrategy;
  readonly #calls: Calls = {};
  #handlers: StrategyHandlers = {};
  #count = 0;
  readonly #names = new Map<string, string>();

  constructor(strategy: AnyStrategy) {
    this.strategy = {
      ...strategy,
      create: (raw, markets) => {
        // A copy that is made as a check gets no call. One that is made for another parameter goes on with the calls.
        this.#handlers = strategy.create(raw, markets);
        const wrapped = Object.entries(this.#handlers).map(([name, one]) => [
          name,
          name.startsWith('on') ? this.#listening(one as never, markets) : one,
        ]);
        return Object.fromEntries(wrapped) as StrategyHandlers;
      },
    };
  }

  #listening(handler: (...given: unknown[]) => unknown, markets: readonly unknown[]): (...given: unknown[]) => unknown {
    return (...given) => {
      const number = ++this.#count;
      const context = new Proxy(given.at(-1) as object, {
        get: (target, name) => {
          const found: unknown = Reflect.get(target, name, target);
          if (typeof found !== 'function') return found;
          const method = found as (...all: unknown[]) => unknown;
          if (!ACTING.has(name)) return method.bind(target);
          return (...all: unknown[]) => {
            (this.#calls[number] ??= []).push([name, ...all.map((one) => this.#plain(one, markets, String(name)))]);
            return method.apply(target, all);
          };
        },
      });
      return handler(...given.slice(0, -1), context);
    };
  }

  /** Without reasons, and with names of its own under other names. */
  #plain(value: unknown, markets: readonly unknown[], method: string): unknown {
    const market = markets.indexOf(value);
    if (market >= 0) return { $market: market };
    if (typeof value === 'string') {
      if (OWN_WORDS.has(value) || isAmount(value)) return value;
      if (!NAMING.has(method)) return null;
      const name = this.#names.get(value) ?? `name-${this.#names.size + 1}`;
      this.#names.set(value, name);
      return name;
    }
    if (Array.isArray(value)) return value.map((one) => this.#plain(one, markets, method));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => (key === 'reason' ? [] : [[key, this.#plain(one, markets, method)]])),
    );
  }

  text(name: string): string {
    const { barMs, needs, schedule, ...handlers } = this.#handlers;
    const { indicators: _indicators, ...bars } = needs ?? {};
    const names = Object.keys(handlers).filter((one) => one.startsWith('on'));
    const crons = Object.entries(schedule ?? {}).map(([, cron], k) => [`schedule-${k + 1}`, cron]);
    const settings = {
      ...(barMs === undefined ? {} : { barMs }),
      ...(needs === undefined ? {} : { needs: bars }),
      ...(schedule && { schedule: Object.fromEntries(crons) }),
    };
    return `/** What a strategy asked for, in place of its text: by number of the call of a handler. */
import { defineStrategy } from '${DOOR}';

const CALLS: Record<number, any[][]> = ${JSON.stringify(this.#calls)};

${EXPORTED} defineStrategy({
  name: '${name}',
  doc: 'Asks for what another strategy asked for.',
  create(_params, markets) {
    let count = 0;
    const revived = (one: any): any =>
      one === null ? undefined
      : Array.isArray(one) ? one.map(revived)
      : typeof one !== 'object' ? one
      : '$market' in one ? markets[one.$market]
      : Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, revived(inner)]));
    const again = (...given: any[]): void => {
      const ctx = given.at(-1);
      for (const [method, ...all] of CALLS[++count] ?? []) ctx[method](...all.map(revived));
    };
    return { ...${JSON.stringify(settings)}, ${names.map((one) => `${one}: again`).join(', ')} };
  },
});
`;
  }
}
