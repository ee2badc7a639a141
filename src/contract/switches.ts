/**
 * The switches of the paper exchange: a setting for each point that the interface leaves open, so that a client can be tested against every
 * variant. Command-line options, the section `exchange` of the configuration, the documentation and a test of all switches derive from this
 * table.
 */

import type { Assumption } from './assumption.ts';

interface Common {
  /** One line: what the switch selects. */
  readonly doc: string;
  /** Number of the assumption that it belongs to. */
  readonly assumption: string;
}

/** One of a few words or numbers. */
export interface ChoiceSwitch<C extends string | number = string | number> extends Common {
  readonly kind: 'choice';
  readonly choices: readonly C[];
  readonly fallback: C;
}

/** A flag that is off by default. */
export interface FlagSwitch extends Common {
  readonly kind: 'flag';
  readonly fallback: false;
}

/** A whole number of `unit`. */
export interface NumberSwitch extends Common {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  /** "ms", or "" for a count. */
  readonly unit: string;
  readonly fallback: number;
}

export type Switch = ChoiceSwitch | FlagSwitch | NumberSwitch;

const choice = <const C extends string | number>(fallback: C, others: readonly C[], assumption: string, doc: string): ChoiceSwitch<C> => {
  return { kind: 'choice', choices: [fallback, ...others], fallback, assumption, doc };
};
const flag = (assumption: string, doc: string): FlagSwitch => ({ kind: 'flag', fallback: false, assumption, doc });
const lag = (doc: string): NumberSwitch => number(0, [0, 60_000], 'ms', 'A57', doc);
const number = (fallback: number, range: readonly [number, number], unit: string, assumption: string, doc: string): NumberSwitch => {
  return { kind: 'number', min: range[0], max: range[1], unit, fallback, assumption, doc };
};

export const SWITCHES = {
  errorStatus: choice(400, [200], 'A03', 'HTTP status of a refusal'),
  errorData: choice('null', ['absent'], 'A04', 'Content of `data` in a refusal'),
  rootMount: flag('A02', 'Also serve the paths without /api/v1'),
  skewWindow: number(30_000, [0, 86_400_000], 'ms', 'A06', 'Largest accepted difference of ACCESS-TIMESTAMP; 0 accepts any'),
  rateLimits: choice('off', ['config'], 'A05', 'Refuse requests beyond the configured rate limits with 429 and Retry-After'),
  clientOidScope: choice('forever', ['open'], 'A22', 'How long a client order id stays used: for ever, or while its order is open'),
  lagHistory: lag('The order history (E17) shows the venue as it was this long ago'),
  lagPending: lag('Pending orders (E18) show the venue as it was this long ago'),
  lagPositions: lag('Positions (E19, E20) show the venue as it was this long ago'),
  pageLimit: number(
    100,
    [1, 1_000],
    '',
    'A17',
    'Most records in one answer of withdrawals (E5), order history (E17) and pending orders (E18)',
  ),
  plansInPending: flag('A24', 'Pending orders (E18) also list trigger orders'),
  modify: choice(
    'atomic',
    ['cancel-first'],
    'A25',
    'Whether a refused modify (E14) leaves the order as it was, or has already cancelled it',
  ),
  marginModeWord: choice('both', ['CROSS', 'CROSSED'], 'A28', 'The word for cross margin that requests may use'),
  marketBuySize: choice('base', ['quote'], 'A32', 'The coin in which the size of a spot market buy is given'),
  bracketsBy: choice('last', ['mark'], 'A62', 'The price that bracket exits watch: the last trade or the mark price'),
  bracketSide: choice('checked', ['any'], 'A69', 'Whether a take-profit or stop-loss on the wrong side of its entry price is refused'),
  planFailures: choice('bare', ['explained'], 'A41', 'Whether failures of cancelling trigger orders (E16) have errorCode and errorMsg'),
  spotWords: choice('both', ['lower'], 'A70', 'Whether spot orders (E1) may also use BUY, SELL, LIMIT and MARKET in capitals'),
  signedPath: choice('full', ['either', 'bare'], 'A02', 'The path that a signature covers: with /api/v1, without it, or either'),
  blockedExits: choice(
    'stay',
    ['replace'],
    'A71',
    'A bracket exit whose size is locked by a resting closing order: protect only the rest, or cancel that order',
  ),
  openOrders: number(
    0,
    [0, 1_000_000],
    '',
    'A73',
    'Most open orders and waiting trigger orders of an account on a symbol, beyond which only closing orders are accepted; 0 for any number',
  ),
  crossing: flag('A56', "Accounts also trade with each other's resting orders, not only with the recorded market"),
} as const satisfies Readonly<Record<string, Switch>>;

export type SwitchName = keyof typeof SWITCHES;

type ValueOf<S extends Switch> = S extends ChoiceSwitch<infer C> ? C : S extends FlagSwitch ? boolean : number;

/** The values of all switches. */
export type SwitchValues = { readonly [N in SwitchName]: ValueOf<(typeof SWITCHES)[N]> };

/** The switches in the order of the table. */
export const SWITCH_LIST: readonly (Switch & { readonly name: SwitchName })[] = Object.entries(SWITCHES).map(([name, one]) => ({
  ...one,
  name: name as SwitchName,
}));

export const SWITCH_DEFAULTS = Object.fromEntries(SWITCH_LIST.map((one) => [one.name, one.fallback])) as unknown as SwitchValues;

/** The option of the `exchange` command: "errorStatus" → "--error-status". */
export function flagOf(name: SwitchName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The configuration key. */
export function keyOf(name: SwitchName): string {
  return `exchange.${name}`;
}

/** Text of the choices: "400, 200", "off, on", "0 to 60000 ms". In a list the default comes first. */
export function choicesOf(one: Switch): string {
  switch (one.kind) {
    case 'choice':
      return one.choices.join(', ');
    case 'flag':
      return 'off, on';
    case 'number':
      return `${one.min} to ${one.max}${one.unit === '' ? '' : ` ${one.unit}`}`;
  }
}

/** Text of the default. */
export function fallbackOf(one: Switch): string {
  if (one.kind === 'flag') return 'off';
  return one.kind === 'number' && one.unit !== '' ? `${one.fallback} ${one.unit}` : String(one.fallback);
}

/** Names what changes the assumption: configuration keys, and options of the paper exchange. */
export function switchesOf({ id, keys = [] }: Assumption): readonly string[] {
  return [...keys, ...SWITCH_LIST.filter((one) => one.assumption === id).map((one) => `exchange ${flagOf(one.name)}`)];
}
