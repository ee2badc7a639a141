/** Writes as comparable lines what a bot decided in a backtest, each command with its time, its values and its reason, and what filled. */
import * as codes from '../../domain/codes.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import { emptyCommand, type Command } from '../../domain/orders/command.ts';
import { formatLots, formatMoney, formatTicks, tradedName, type Instrument } from '../../domain/instrument.ts';
import { TIMES_IN_FORCE } from '../../domain/orders/time-in-force.ts';
import type { ReportedFill } from '../../report/run-report.ts';
import type { CommandJournal } from '../../engine/state/events/journal.ts';

export interface Decision {
  /** Time of the decision, or of the fill, in milliseconds of the tape. */
  readonly time: number;
  /** Instrument, kind, side, prices and sizes, and the reason that the strategy gave. */
  readonly text: string;
  /** The text without the reason. */
  readonly order: string;
  /** The order without its prices and sizes. */
  readonly what: string;
}

/** Fields that differ between runs although the decision is the same: numbers of commands depend on where a run began. */
const LEFT_OUT: ReadonlySet<string> = new Set(['kind', 'instrument', 'seq', 'target', 'targetVenueId', 'time', 'validMs']);
const FIELDS = (Object.keys(emptyCommand()) as (keyof Command)[]).filter((name) => !LEFT_OUT.has(name));

export class Decisions {
  readonly all: Decision[] = [];
  readonly #instruments: readonly Instrument[];

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  /** A journal that does what `journal` does, and keeps each command. */
  readonly journal = (journal: CommandJournal): CommandJournal =>
    Object.assign(Object.create(journal) as CommandJournal, {
      command: (...[command, strategy, reason]: Parameters<CommandJournal['command']>): void => {
        const order = commandText(command, this.#instruments);
        this.all.push({
          time: command.time,
          text: `${order} (${strategy}${reason === '' ? '' : `: ${reason}`})`,
          order,
          what: commandText(command, this.#instruments, ORDER_FIELDS),
        });
        journal.command(command, strategy, reason);
      },
    });
}

/** "BTCUSDT LONG BUY 0.010 at 60000.0, fee 0.36000000": a fill as a line. */
export function filled({ time, symbol, positionSide, side, size, price, fee }: ReportedFill): Decision {
  const what = `${symbol} ${positionSide} ${side}`;
  const order = `${what} ${size} at ${price}`;
  return { time, text: `${order}, fee ${fee}`, order, what };
}

/** "BTCUSDT place LONG CLOSE MARKET 0.010": an order with its side, effect and type, and every other value that is set, or those of `shown`. */
function commandText(command: Command, instruments: readonly Instrument[], shown: ReadonlySet<string> | null = null): string {
  const instrument = instruments[command.instrument]!;
  const isOrder = command.kind !== codes.MODIFY && makesOrder(command.kind);
  const values = FIELDS.filter((name) => shown === null || shown.has(name)).flatMap((name) =>
    command[name] === 0 && !(isOrder && ORDER_FIELDS.has(name)) ? [] : [(VALUES[name] ?? priced(name))(Number(command[name]), instrument)],
  );
  return [tradedName(instrument), codes.COMMANDS[command.kind]!, ...values].join(' ');
}

const ORDER_FIELDS: ReadonlySet<string> = new Set(['side', 'effect', 'type']);

type ValueText = (value: number, instrument: Instrument) => string;

/** The fields that are not prices. */
const VALUES: Partial<Readonly<Record<keyof Command, ValueText>>> = {
  side: (value, { product }) => (product === 'spot' ? codes.DIRECTIONS : codes.SIDES)[value]!,
  effect: (value) => codes.EFFECTS[value]!,
  type: (value) => codes.ORDER_TYPES[value]!,
  price: (value, instrument) => `at ${formatTicks(value, instrument)}`,
  size: formatLots,
  force: (value) => TIMES_IN_FORCE[value]!.name,
  marginMode: (value) => codes.MARGIN_MODES[value]!,
  triggerBy: (value) => codes.TRIGGERS_BY[value]!,
  amount: (value) => `amount ${formatMoney(value)}`,
};

const priced =
  (name: string): ValueText =>
  (value, instrument) =>
    `${name} ${formatTicks(value, instrument)}`;

/** The first place where two lists differ. */
export interface Difference {
  readonly at: number;
  readonly expected: Decision | null;
  readonly found: Decision | null;
}

/** Null if both lists are equal in their times and in the field `by`. */
export function differenceOf(
  expected: readonly Decision[],
  found: readonly Decision[],
  by: 'text' | 'order' | 'what' = 'text',
): Difference | null {
  for (let at = 0; at < Math.max(expected.length, found.length); at++) {
    const [a, b] = [expected[at] ?? null, found[at] ?? null];
    if (a?.time !== b?.time || a?.[by] !== b?.[by]) return { at, expected: a, found: b };
  }
  return null;
}

/** So many moments at the end of both lists show that they go the same way again. */
const AGREEING_MIN = 3;

/** When two lists that differ are the same again, to their ends: time of the first such decision in milliseconds; null if they are not. */
export function sameFrom(
  expected: readonly Pick<Decision, 'time' | 'text'>[],
  found: readonly Pick<Decision, 'time' | 'text'>[],
): number | null {
  const times = new Set<number>();
  let same = 0;
  for (; same < Math.min(expected.length, found.length); same++) {
    const [a, b] = [expected.at(-1 - same)!, found.at(-1 - same)!];
    if (a.time !== b.time || a.text !== b.text) break;
    times.add(a.time);
  }
  return times.size < AGREEING_MIN ? null : expected.at(-same)!.time;
}

/** One sentence; `whole` and `other` name the two runs, `did` what they did. */
export function differenceText({ expected, found }: Difference, whole: string, other: string, did = 'decided'): string {
  const said = (decision: Decision | null): string =>
    decision === null ? 'nothing more' : `at ${new Date(decision.time).toISOString()} ${decision.text}`;
  return `${whole} ${did} ${said(expected)}; ${other} ${did} ${said(found)}`;
}
