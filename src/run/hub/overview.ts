/**
 * Adds up what the bots of a user come to together. Two bots on one account see the same money and the same legs: both count once. Money of
 * different kinds or coins is never added up, and what is unknown is never counted as zero.
 */
import { shellWord } from '../setup/shell-word.ts';
import type { HaltAnswer, PositionAnswer, StatusAnswer } from '../../control/answers.ts';
import { counted } from '../../base/text/figures.ts';
import type { AccountKind, AccountRow, Bound, BotRow, HubAnswer, TotalRow } from '../../control/hub.ts';
import { Decimal } from '../../domain/amounts/decimal.ts';
import { nameOfBot, type Look } from './look.ts';

export function overviewOf(given: readonly Look[], time: number): HubAnswer {
  const looks = [...given].sort((a, b) => byName.compare(nameOfBot(a), nameOfBot(b)) || byName.compare(a.folder, b.folder));
  const seen = looks.flatMap((look) => (look.status === null ? [] : [{ state: look.state, status: look.status, name: nameOfBot(look) }]));
  const groups = Map.groupBy(seen, ({ status }) => keyOf(status));
  const accounts = [...groups]
    .flatMap(([key, bots]) => (key === '' ? [] : [accountOf(bots)]))
    .sort((a, b) => KINDS.indexOf(a.account) - KINDS.indexOf(b.account));
  const uncounted = looks.filter(({ status }) => status === null || keyOf(status) === '');
  return {
    time,
    totals: [...Map.groupBy(accounts, ({ account, marginCoin }) => `${account} ${marginCoin}`).values()].map((of) =>
      totalOf(of, uncounted),
    ),
    accounts,
    bots: looks.map(botOf).sort((a, b) => KINDS.indexOf(a.account) - KINDS.indexOf(b.account)),
    uncounted: uncounted.map(nameOfBot),
  };
}

/** bot-2 before bot-10. */
const byName = new Intl.Collator('en', { numeric: true });
/** In the order in which a person must see them. */
const KINDS: readonly AccountKind[] = ['live', 'unknown', 'local', 'paper'];

interface Seen {
  readonly state: Look['state'];
  readonly status: StatusAnswer;
  readonly name: string;
}

/** "" if the account is unknown. */
function keyOf({ accountId = '', marginCoin = '' }: StatusAnswer): string {
  return accountId === '' || marginCoin === '' ? '' : `${accountId} ${marginCoin}`;
}

function kindOf({ account }: Pick<StatusAnswer, 'account'>): AccountKind {
  return account === 'paper' || account === 'local' || account === 'live' ? account : 'unknown';
}

function botOf(look: Look): BotRow {
  const { folder, state, says, status, dashboard } = look;
  const { time = 0, pid = 0, phase = '', venue = '', equity = '', halts = [], positions = [], orders = 0 } = status ?? {};
  const { unknownOutcomes = 0, accountId = '', marginCoin = '', today } = status ?? {};
  return {
    bot: nameOfBot(look),
    folder,
    typedFolder: shellWord(folder),
    state,
    says,
    seenAt: time,
    pid,
    phase,
    venue,
    account: kindOf(status ?? {}),
    accountId,
    marginCoin,
    equity,
    today: today?.net ?? '',
    orders,
    positions: positions.length,
    unknownOutcomes,
    halts: halts.map((halt) => ({ ...halt, ends: endingAt(halt, folder) })),
    dashboard,
  };
}

/** The command that ends a halt, with the folder of its bot: without it the command may reach another. */
function endingAt({ ends = '' }: Partial<HaltAnswer>, folder: string): string {
  return ends.replace(/^tickwright [^(]*[^( ]/, (command) => `${command} --state ${shellWord(folder)}`);
}

function accountOf(bots: readonly Seen[]): AccountRow {
  const answering = bots.filter(({ state }) => state === 'running');
  const current = (answering.length > 0 ? answering : bots).map(({ status }) => status);
  const read = current.filter(({ equity }) => equity !== '');
  const newest = read.reduce<StatusAnswer | null>((so, one) => (so === null || equityAt(one) > equityAt(so) ? one : so), null);
  const [first] = current;
  const legs = legsOf(current);
  const equity = newest?.equity ?? '';
  const loss = lossOf(current, legs, equity);
  return {
    account: kindOf(first!),
    accountId: first!.accountId!,
    marginCoin: first!.marginCoin!,
    venue: first!.venue,
    bots: bots.map(({ name }) => name),
    equity,
    equityAt: newest === null ? 0 : equityAt(newest),
    positions: legs.length,
    unrealised: sum(legs.map(({ unrealised }) => unrealised)),
    ...loss,
    halts: bots.reduce((count, { status }) => count + status.halts.length, 0),
    isCurrent: answering.length > 0,
  };
}

function equityAt({ readAt, time }: StatusAnswer): number {
  return readAt?.equity ?? time;
}

/** As on the dashboard of a bot: a least amount where something has no bound, unknown where nothing has one, and never more than the equity, because the venue liquidates before. */
function lossOf(statuses: readonly StatusAnswer[], legs: readonly PositionAnswer[], equity: string): Loss {
  if (statuses.some(({ readAt }) => readAt !== undefined && readAt.positions === 0))
    return { worstLoss: '', worstLossUnknown: 'the positions are not read yet', worstLossBound: '' };
  const bounds = sum(legs.map(({ worstLoss = '' }) => worstLoss).filter((one) => one !== ''));
  const isAll = equity !== '' && new Decimal(bounds).gt(equity);
  if (isAll) return { worstLoss: equity, worstLossUnknown: '', worstLossBound: 'most' };
  const worstLossUnknown = unboundedBy(statuses, legs);
  const mayHaveStop = legs.some(({ stopUnknown = '' }) => /[1-9]/.test(stopUnknown));
  if (worstLossUnknown !== '' && new Decimal(bounds).isZero()) return { worstLoss: '', worstLossUnknown, worstLossBound: '' };
  return { worstLoss: bounds, worstLossUnknown, worstLossBound: worstLossUnknown !== '' ? 'least' : mayHaveStop ? 'most' : '' };
}

type Loss = Pick<AccountRow, 'worstLoss' | 'worstLossUnknown' | 'worstLossBound'>;

/** Why more can be lost than the legs with a bound lose: orders that may have opened what no read shows, and legs without a bound. */
function unboundedBy(statuses: readonly StatusAnswer[], legs: readonly PositionAnswer[]): string {
  const orders = statuses.reduce((count, { unknownOutcomes }) => count + unknownOutcomes, 0);
  if (orders > 0) return `the outcome of ${counted(orders, 'order')} is unknown`;
  const unbounded = legs.filter(({ worstLoss = '' }) => worstLoss === '').map(({ symbol, side }) => `${symbol} ${side}`);
  return unbounded.length === 0 ? '' : `no stop or liquidation price of ${unbounded.join(', ')} is known`;
}

/**
 * Each leg once, as the bot that read it last shows it. A bot knows its own stops alone, so what each of them says can be lost is a bound, and
 * the least is the best.
 */
function legsOf(statuses: readonly StatusAnswer[]): readonly PositionAnswer[] {
  const byAge = [...statuses].sort((a, b) => (b.readAt?.positions ?? b.time) - (a.readAt?.positions ?? a.time));
  const legs = new Map<string, PositionAnswer>();
  for (const leg of byAge.flatMap(({ positions }) => positions)) {
    const key = `${leg.symbol} ${leg.side}`;
    const known = legs.get(key);
    if (known === undefined) legs.set(key, leg);
    else if (known.size === leg.size) legs.set(key, { ...known, worstLoss: least(known.worstLoss ?? '', leg.worstLoss ?? '') });
  }
  return [...legs.values()];
}

function least(a: string, b: string): string {
  if (a === '' || b === '') return a === '' ? b : a;
  return new Decimal(b).lt(a) ? b : a;
}

function totalOf(accounts: readonly AccountRow[], uncounted: readonly Look[]): TotalRow {
  const [first] = accounts;
  const unknown = accounts.filter(({ worstLossUnknown }) => worstLossUnknown !== '');
  const known = accounts.filter(({ equity }) => equity !== '');
  const losses = accounts.flatMap(({ worstLoss }) => (worstLoss === '' ? [] : [worstLoss]));
  const left = uncounted.filter(({ status }) => mayBeOf(first!, status)).length;
  return {
    account: first!.account,
    marginCoin: first!.marginCoin,
    accounts: accounts.length,
    equity: known.length === 0 ? '' : sum(known.map(({ equity }) => equity)),
    known: known.length,
    equityAt: known.length === 0 ? 0 : Math.min(...known.map((one) => one.equityAt)),
    worstLoss: losses.length === 0 ? '' : sum(losses),
    worstLossUnknown: unknown.map(({ bots, worstLossUnknown }) => `${bots.join(', ')}: ${worstLossUnknown}`).join('; '),
    worstLossBound: losses.length === 0 ? '' : losses.length < accounts.length ? 'least' : boundOf(accounts, left),
    halts: accounts.reduce((count, { halts }) => count + halts, 0),
    uncounted: left,
  };
}

/** Of a sum: one least amount in it makes it one. */
function boundOf(accounts: readonly AccountRow[], uncounted: number): Bound {
  const bounds = new Set(accounts.map(({ worstLossBound }) => worstLossBound));
  return uncounted > 0 || bounds.has('least') ? 'least' : bounds.has('most') ? 'most' : '';
}

/** True if a bot may trade on an account of this kind and coin, by the little that its status says. */
function mayBeOf({ account, marginCoin }: AccountRow, status: StatusAnswer | null): boolean {
  const kind = kindOf(status ?? {});
  const coin = status?.marginCoin ?? '';
  return (kind === account || kind === 'unknown' || account === 'unknown') && (coin === '' || coin === marginCoin);
}

/** In cents; "" if any of the amounts is unknown. */
function sum(amounts: readonly string[]): string {
  if (amounts.includes('')) return '';
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed(2);
}
