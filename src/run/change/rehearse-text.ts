/**
 * Finds what another text of a strategy would have done in a recorded session, beside the text that ran. Both go on from the same moment of
 * the session with a simulated venue, which has the recorded market, so that they differ by their text alone. The reload itself is
 * rehearsed too: with its checks, and with what takes the text back.
 */
import { Failure } from '../../base/failure/failure.ts';
import { EFFECTS, MARKET, ORDER_TYPES, PLACE_SPOT, SIDES } from '../../domain/codes.ts';
import { formatLots, formatMoneyShort, formatTicks, type Instrument, tradedName } from '../../domain/instrument.ts';
import type { Command } from '../../domain/orders/command.ts';
import { makesOrder, orderKindName } from '../../domain/orders/command-traits.ts';
import { newEvent, OPERATE } from '../../engine/event.ts';
import type { Kernel } from '../../engine/kernel.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/definition/setup.ts';
import type { StrategySource } from '../../engine/strategy/definition/source.ts';
import { type Log, SILENT_LOG } from '../../ports/log.ts';
import { guardStrategies } from '../guard/guard.ts';
import { goOn } from '../replay/go-on.ts';
import { Player, type PlayerOptions } from '../replay/player.ts';
import { openSession, type OpenSession, settingsOf } from '../replay/replay.ts';
import type { Given, Simulated } from '../replay/simulated.ts';
import { readTexts } from '../session/strategy-texts.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { loadAgain } from '../setup/strategy/load-strategy.ts';

/** Orders that are shown of those that differ. */
const SHOWN = 10;

/** Money in quote coin; orders that were sent. */
interface Side {
  readonly orders: number;
  readonly fills: number;
  readonly profit: string;
}

/** An order of one text alone. */
interface Difference {
  readonly time: number;
  readonly by: 'before' | 'new';
  readonly order: string;
}

export interface Rehearsal {
  readonly session: string;
  readonly from: number;
  readonly to: number;
  /** What the bot really sent and earned. */
  readonly recorded: Omit<Side, 'fills'>;
  readonly before: Side;
  readonly next: Side;
  /** Why the reload would have been refused, or the text taken back; "" if it would run on. */
  readonly failed: string;
  /** Number of orders of one text alone, and the first of them. */
  readonly differences: number;
  readonly first: readonly Difference[];
}

export interface RehearsalSpec {
  /** Folder of the session. */
  readonly session: string;
  readonly strategy: string;
  /** The text that would run; it was loaded. */
  readonly source: StrategySource;
  /** Time when the reload would have come: then, or once the strategies run. Milliseconds. */
  readonly from: number;
}

/** What the text on disk would have done in sessions of a bot. */
export interface Rehearsals {
  readonly strategy: string;
  readonly sha256: string;
  /** The oldest session first; those in which no strategy ran are left out. */
  readonly rows: readonly Rehearsal[];
}

/** Rehearses the text on disk in these sessions, the newest of which is the running one. @throws Failure */
export async function rehearseOnDisk(sessions: readonly string[], name: string): Promise<Rehearsals> {
  const { strategy, source } = await textOnDisk(sessions.at(-1)!, name);
  const rows: Rehearsal[] = [];
  for (const session of sessions) {
    const one = await rehearse({ session, strategy, source, from: 0 });
    if (one !== null) rows.push(one);
  }
  return { strategy, sha256: source.sha256, rows };
}

/** Loads the file of a strategy of the session as it stands on disk; "" is the only strategy. @throws Failure */
export async function textOnDisk(folder: string, name: string): Promise<{ readonly strategy: string; readonly source: StrategySource }> {
  const { head, config } = openSession(folder);
  guardStrategies(config, { isLive: false });
  const setups = await strategySetups(head.strategies, head.instruments);
  const setup = name === '' && setups.length === 1 ? setups[0] : setups.find((one) => nameOf(one) === name);
  if (setup?.file === undefined) throw noSuchStrategy(setups, name, folder);
  return { strategy: nameOf(setup), source: await loadAgain(setup.file) };
}

function noSuchStrategy(setups: readonly StrategySetup[], name: string, where: string): Failure {
  return new Failure('command-line', {
    what: `expected a strategy of the session (${setups.map(nameOf).join(', ')}), found "${name}"`,
    where,
  });
}

/** null if no strategy ran from then on. @throws Failure if the session does not replay, or has no such strategy */
export async function rehearse(spec: RehearsalSpec): Promise<Rehearsal | null> {
  const at = await beginOf(spec);
  if (at === null) return null;
  const before = await fork(spec, at, false);
  const next = await fork(spec, at, true);
  const [old, other] = [before.simulated, next.simulated];
  const differences = differencesOf(old.commands, other.commands, before.instruments);
  return {
    session: spec.session,
    from: at,
    to: other.endedAt,
    recorded: { orders: ordersOf(old.recorded).length, profit: formatMoneyShort(old.recordedEquity - old.startEquity) },
    before: sideOf(old),
    next: sideOf(other),
    failed: next.failed,
    differences: differences.length,
    first: differences.slice(0, SHOWN),
  };
}

/** The session with the texts that it had. */
async function opened(folder: string, more: PlayerOptions): Promise<{ readonly session: OpenSession; readonly player: Player }> {
  const session = openSession(folder);
  const { head, entries } = session;
  return { session, player: new Player(head, await settingsOf(session, head.strategies, head.snapshot, true), entries, more) };
}

/** Records of orders and fills. */
const OF_ORDERS: ReadonlySet<string> = new Set(['command', 'outcome', 'fill', 'ended', 'exit', 'leg']);

/**
 * The first time from `from` on at which the strategies run, nothing is in flight, and a list of positions was asked for after the last order:
 * there the simulated account begins as the bot believes it to be. Null for none.
 */
async function beginOf({ session: folder, from }: RehearsalSpec): Promise<number | null> {
  let at: number | null = null;
  let orderedAt = -Infinity;
  let kernel: Kernel | null = null;
  const isRunning = (): boolean => kernel?.phase === 'armed' && kernel.status().strategies.every(({ warmingUp }) => warmingUp === '');
  const watch: PlayerOptions['watch'] = {
    event: (entry) => {
      if (at !== null || entry.at < from || entry.answer?.kind !== 'positions' || entry.sentAt! <= orderedAt) return;
      if (isRunning() && kernel!.isQuiet) at = entry.at;
    },
    record: ({ kind, time }) => {
      if (OF_ORDERS.has(kind)) orderedAt = time;
    },
  };
  const { player } = await opened(folder, { watch });
  kernel = player.kernel;
  player.play({});
  const { divergence } = player.result();
  if (divergence === null) return at;
  throw new Failure('session-unreadable', {
    what: `the replay differs from the session at event ${divergence.event}: recorded ${divergence.expected}; replayed ${divergence.found}`,
    where: folder,
  });
}

interface Fork {
  readonly simulated: Simulated;
  readonly instruments: readonly Instrument[];
  readonly failed: string;
}

/** The session up to `at`, and from there on a simulated venue. */
async function fork({ session: folder, strategy, source }: RehearsalSpec, at: number, isReloaded: boolean): Promise<Fork> {
  let failed = '';
  const log: Log = {
    ...SILENT_LOG,
    error: (event, fields) => {
      if (event === 'reload-returned' && failed === '') failed = String(fields?.['why']);
    },
  };
  const { session, player } = await opened(folder, { log });
  const until = {};
  player.play({ until: { time: at + 1 } });
  player.clock.time = Math.max(at, player.clock.time);
  const { given, venue } = goOn(session, player, { until });
  if (isReloaded) {
    const before = runningText(session, player.kernel.setups, strategy);
    const command = { name: 'reload', strategy, source, before, by: 'rehearsal', why: '' } as const;
    const event = Object.assign(newEvent(), { kind: OPERATE, at: player.clock.time, command });
    given.kernel.step(event);
    const { result } = event;
    if (result !== null && !result.ok) failed = result.message;
  }
  const simulated = venue.run(player.recorded.rest());
  return { simulated, instruments: session.head.instruments, failed };
}

/** @throws Failure if there is no such strategy, or its text was not kept */
function runningText({ reader }: OpenSession, setups: readonly StrategySetup[], name: string): StrategySource {
  const k = setups.findIndex((setup) => nameOf(setup) === name);
  const text = setups[k]?.reload?.source ?? readTexts(reader.folder).begun[k];
  if (text !== undefined && text !== null) return text;
  if (k < 0) throw noSuchStrategy(setups, name, reader.folder);
  throw new Failure('session-unreadable', { what: `the text that ${name} had in this session was not kept`, where: reader.folder });
}

function sideOf({ commands, fills, equity, startEquity }: Simulated): Side {
  return { orders: ordersOf(commands).length, fills, profit: formatMoneyShort(equity - startEquity) };
}

function ordersOf(commands: readonly Given[]): readonly Given[] {
  return commands.filter(({ command }) => makesOrder(command.kind));
}

/** Orders of one side that the other does not have at the same time, in the order of time. */
function differencesOf(before: readonly Given[], next: readonly Given[], instruments: readonly Instrument[]): Difference[] {
  const textsOf = (commands: readonly Given[]): { readonly time: number; readonly order: string }[] =>
    ordersOf(commands).map(({ at, command }) => ({ time: at, order: orderText(command, instruments) }));
  const [old, other] = [textsOf(before), textsOf(next)];
  const alone = (own: typeof old, others: typeof old, by: Difference['by']): Difference[] => {
    const left = new Map<string, number>();
    const key = ({ time, order }: (typeof old)[number]): string => `${time} ${order}`;
    for (const one of others) left.set(key(one), (left.get(key(one)) ?? 0) + 1);
    return own.flatMap((one) => {
      const count = left.get(key(one)) ?? 0;
      left.set(key(one), count - 1);
      return count > 0 ? [] : [{ ...one, by }];
    });
  };
  return [...alone(old, other, 'before'), ...alone(other, old, 'new')].toSorted((a, b) => a.time - b.time);
}

/** "place BTCUSDT LONG OPEN LIMIT 0.100 at 60000.0". */
function orderText(
  { kind, instrument: index, side, effect, type, price, size, trigger }: Command,
  instruments: readonly Instrument[],
): string {
  const instrument = instruments[index]!;
  const isSpot = kind === PLACE_SPOT;
  const what = isSpot ? (side === 0 ? 'BUY' : 'SELL') : `${SIDES[side]!} ${EFFECTS[effect]!}`;
  const at = type === MARKET || price <= 0 ? '' : ` at ${formatTicks(price, instrument)}`;
  const from = trigger > 0 ? `, triggered at ${formatTicks(trigger, instrument)}` : '';
  return `${orderKindName(kind)} ${tradedName(instrument)} ${what} ${ORDER_TYPES[type]!} ${formatLots(size, instrument)}${at}${from}`;
}
