/**
 * What the bots of a user come to together. Two bots on one account see the same money and the same legs: both count once. Money of different
 * kinds or coins is never added up, and what is unknown is never counted as zero.
 */
import type { PositionAnswer, StatusAnswer } from '../../control/answers.ts';
import type { AccountKind, AccountRow, BotRow, HubAnswer, TotalRow } from '../../control/hub.ts';
import { Decimal } from '../../domain/amounts/decimal.ts';
import { nameOfBot, type Look } from './look.ts';

export function overviewOf(looks: readonly Look[], time: number): HubAnswer {
  const seen = looks.flatMap(({ state, status }, k) => (status === null ? [] : [{ state, status, name: nameOfBot(looks[k]!) }]));
  const groups = Map.groupBy(seen, ({ status }) => keyOf(status));
  const accounts = [...groups].flatMap(([key, bots]) => (key === '' ? [] : [accountOf(bots)]));
  return {
    time,
    totals: [...Map.groupBy(accounts, ({ account, marginCoin }) => `${account} ${marginCoin}`).values()].map(totalOf),
    accounts,
    bots: looks.map(botOf),
    uncounted: looks.filter(({ status }) => status === null || keyOf(status) === '').map(nameOfBot),
  };
}

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
    halts,
    dashboard,
  };
}

function accountOf(bots: readonly Seen[]): AccountRow {
  const answering = bots.filter(({ state }) => state === 'running');
  const current = (answering.length > 0 ? answering : bots).map(({ status }) => status);
  const read = current.filter(({ equity }) => equity !== '');
  const newest = read.reduce<StatusAnswer | null>((so, one) => (so === null || equityAt(one) > equityAt(so) ? one : so), null);
  const [first] = current;
  const legs = legsOf(current);
  const equity = newest?.equity ?? '';
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
    worstLoss: isCertain(current) ? capped(sum(legs.map(({ worstLoss = '' }) => worstLoss)), equity) : '',
    halts: bots.reduce((count, { status }) => count + status.halts.length, 0),
    isCurrent: answering.length > 0,
  };
}

function equityAt({ readAt, time }: StatusAnswer): number {
  return readAt?.equity ?? time;
}

/** False before the positions were read, or while an order may have opened what no read shows. */
function isCertain(statuses: readonly StatusAnswer[]): boolean {
  return statuses.every(({ readAt, unknownOutcomes }) => unknownOutcomes === 0 && (readAt === undefined || readAt.positions > 0));
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

/** The venue liquidates an account before it owes. */
function capped(loss: string, equity: string): string {
  return loss !== '' && equity !== '' && new Decimal(loss).gt(equity) ? equity : loss;
}

function totalOf(accounts: readonly AccountRow[]): TotalRow {
  const [first] = accounts;
  const known = accounts.filter(({ equity }) => equity !== '');
  return {
    account: first!.account,
    marginCoin: first!.marginCoin,
    accounts: accounts.length,
    equity: known.length === 0 ? '' : sum(known.map(({ equity }) => equity)),
    known: known.length,
    equityAt: known.length === 0 ? 0 : Math.min(...known.map((one) => one.equityAt)),
    worstLoss: sum(accounts.map(({ worstLoss }) => worstLoss)),
    halts: accounts.reduce((count, { halts }) => count + halts, 0),
  };
}

/** In cents; "" if any of the amounts is unknown. */
function sum(amounts: readonly string[]): string {
  if (amounts.includes('')) return '';
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed(2);
}
