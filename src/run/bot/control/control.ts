/** Answers control calls on a running bot: queries from the kernel and the journal, commands as kernel events. */
import { problemsOf, textAt, type Field } from '../../../base/fields.ts';
import { CONTROL_COMMANDS, type ControlName } from '../../../control/commands.ts';
import type { ControlCommand } from '../../../control/control-command.ts';
import type { ActAnswer, RefusalAnswer } from '../../../control/answers.ts';
import type { ControlReply } from '../../../edge/control/control-server.ts';
import type { Lines } from '../../../edge/node-http.ts';
import { machineNow } from '../../../edge/time/machine-clock.ts';
import { durationOf } from '../../../base/time/duration.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import { tradedName } from '../../../domain/instrument.ts';
import { type Flattened, scoreText } from '../../../domain/messages/forecast.ts';
import { scopeWords } from '../../../engine/operator/operator.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import { fillsIn, newestFills, ordersIn, type Window } from '../answers/fill-answers.ts';
import { profitIn } from '../answers/profit.ts';
import { tradesIn } from '../answers/trade-answers.ts';
import type { Operable, QuerySource } from './operable.ts';
import { isInScope } from '../answers/views.ts';
import { additionIn, commandOf, type Given, refusal, reloadOf } from './command-of.ts';
import { timesOf, timesText } from './times.ts';
import { answerWhy } from './why-answers.ts';

const WAIT_MS = 5_000;
/** A command that the bot has not begun within this time is not carried out: its caller may have gone, and a halt may have been typed since. */
const BEGIN_MS = 4_000;
/** An operator is told within five seconds how far a flattening is, and then follows it. */
const FLATTEN_WAIT_MS = 3_000;
const LOOK_EVERY_MS = 10;
const FLAT = 'flat: reads of the venue that began after the last own order show nothing that was to be closed';

/** Answers one call. `bot` is null while it starts. */
export async function answerControl(bot: Operable | null, method: string, name: string, raw: Given): Promise<ControlReply | Lines> {
  const command = CONTROL_COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    return refused(
      404,
      'no-such-command',
      `there is no command "${name}"`,
      `there are ${CONTROL_COMMANDS.map((one) => one.name).join(', ')}`,
    );
  }
  const expected = command.acts ? 'POST' : 'GET';
  if (method !== expected) return refused(405, 'bad-request', `expected ${expected} /v1/${name}, found ${method}`, '');
  // `request`: the file that asks for the same halt. `askedAt`, `typedAt`: when its caller typed it, on the machine's steady clock; the first
  // of them says that it is not to be carried out later.
  const given = command.acts ? raw : fromQuery(raw, command);
  const { by, request, askedAt, typedAt = askedAt, ...others } = given;
  const [problem] = problemsOf(command.acts ? others : given, command.fields, name, `the command ${name}`);
  if (problem !== undefined) return refused(400, 'bad-request', problem.what, problem.hint ?? '');
  if (command.acts && by !== undefined && (typeof by !== 'string' || by.length > 100))
    return refused(400, 'bad-request', '"by": expected who asks', '');
  if (command.acts && askedAt !== undefined && !(typeof askedAt === 'number' && Math.abs(machineNow() - askedAt) <= BEGIN_MS))
    return refused(
      409,
      'too-late',
      `the bot could not begin this command within ${BEGIN_MS / 1000} s: it was not carried out`,
      'type it again',
    );
  if (command.acts && request !== undefined && (typeof request !== 'string' || request.length > 100))
    return refused(400, 'bad-request', '"request": expected the id of a halt request', '');
  if (bot === null) return refused(503, 'starting', 'the bot is starting', 'try again in a moment');
  try {
    if (command.name === 'tail') return tail(bot, given);
    if (command.name === 'events') return bot.changes(textAt(given, 'after'));
    return command.acts ? await act(bot, command.name, { ...given, typedAt }) : await answerQuery(bot, command.name, given);
  } catch (error) {
    if (error instanceof RangeError) return refused(400, 'bad-request', error.message, '');
    throw error;
  }
}

/** Converts query texts to the types of the command's fields. */
function fromQuery(raw: Given, { fields }: ControlCommand): Given {
  const value = (key: string, text: unknown): unknown => {
    const field: Field | undefined = fields[key];
    if (field?.kind === 'whole' && typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
    return field?.kind === 'flag' ? text === 'true' : text;
  };
  return Object.fromEntries(Object.entries(raw).map(([key, text]) => [key, value(key, text)]));
}

/** Answers a query from the files of a stopped bot. */
export async function answerStopped(bot: QuerySource, name: ControlName, raw: Given): Promise<ControlReply> {
  const command = CONTROL_COMMANDS.find((one) => one.name === name)!;
  const [problem] = problemsOf(raw, command.fields, name, `the command ${name}`);
  if (problem !== undefined) return refused(400, 'bad-request', problem.what, problem.hint ?? '');
  try {
    const reply = await answerQuery(bot, name, raw);
    const isOfNow = reply.status !== 200 || (name !== 'orders' && name !== 'positions');
    return isOfNow ? reply : ok({ ...reply.body, lastSeenAt: bot.status().time });
  } catch (error) {
    if (error instanceof RangeError) return refused(400, 'bad-request', error.message, '');
    throw error;
  }
}

async function answerQuery(bot: QuerySource, name: ControlName, given: Given): Promise<ControlReply> {
  const scope = textAt(given, 'scope');
  const window = windowOf(given);
  switch (name) {
    case 'status':
      return ok(bot.status());
    case 'orders': {
      const orders = bot.orders().filter((order) => isInScope(scope, order));
      return (orders.length === 0 ? unknownScope(bot, scope) : null) ?? ok({ orders });
    }
    case 'positions': {
      const positions = bot.status().positions.filter((position) => isInScope(scope, position));
      return (positions.length === 0 ? unknownScope(bot, scope) : null) ?? ok({ positions });
    }
    case 'fills': {
      const last = window.last ?? 20;
      const fills = await newestFills(bot, { ...window, last });
      const next = fills.length < last ? null : (fills[0]?.id ?? null);
      return (fills.length === 0 ? unknownScope(bot, scope) : null) ?? ok({ fills, next });
    }
    case 'pnl': {
      const by = (given['by'] ?? 'strategy') as 'strategy' | 'symbol' | 'day' | 'reason';
      return ok({ by, groups: await profitIn(bot, by, window, await bot.profit()) });
    }
    case 'why':
      return answerWhy(bot, textAt(given, 'what'), textAt(given, 'at'));
    case 'limits': {
      const limits = (bot.levels?.() ?? []).filter(({ scope: of }) => isLevelOf(scope, of));
      return (limits.length === 0 ? unknownScope(bot, scope) : null) ?? ok({ limits });
    }
    case 'export':
      return ok({ rows: await exported(bot, textAt(given, 'what'), window) });
    default:
      return refused(404, 'no-such-command', `${name} is not a query`, '');
  }
}

/** True if a level of the scope `of` ("leg:BTCUSDT:LONG") belongs to what was asked for: "", a symbol, a position side or a strategy. */
function isLevelOf(asked: string, of: string): boolean {
  const plain = of.replace(/^(symbol|leg|strategy):/, '');
  return asked === '' || plain === asked || plain.startsWith(`${asked}:`);
}

/** Refuses a scope that names nothing of this bot, instead of answering with an empty list. */
function unknownScope({ instruments, status }: Pick<QuerySource, 'instruments' | 'status'>, asked: string): ControlReply | null {
  const names = status().strategies.map(({ name }) => name);
  const known = scopeWords(instruments.map(tradedName), names);
  const plain = asked.replace(/^(symbol|leg|strategy):/, '').replace(' ', ':');
  if (['', 'all', 'bot', ...known].includes(plain)) return null;
  const hint = didYouMean(plain, known) ?? `there are ${known.filter((one) => !/:(LONG|SHORT)$/.test(one)).join(', ')}`;
  return refused(409, 'no-such-scope', `"${asked}" is neither a symbol nor a strategy of this bot`, hint);
}

function exported(bot: QuerySource, what: string, window: Window): Promise<readonly object[]> {
  const { last } = window;
  if (what === 'fills') return last === undefined ? fillsIn(bot.records(), window) : newestFills(bot, { ...window, last });
  if (what === 'trades') return tradesIn(bot.records(), window);
  return ordersIn(bot.records(), bot.instruments, bot.ids, window);
}

/** @throws RangeError for an invalid time */
function windowOf(given: Given): Window {
  const time = (key: string): number | undefined => {
    const text = textAt(given, key);
    if (text === '') return undefined;
    const at = timeIn(text);
    if (Number.isNaN(at)) throw new RangeError(`"${key}": expected a UTC time such as 2026-11-22T08:00, found "${text}"`);
    return at;
  };
  const [last, before] = [given['last'], given['before']] as (number | undefined)[];
  return { scope: textAt(given, 'scope'), from: time('from'), to: time('to'), last, before };
}

/** @throws RangeError for a `--since` that is no time, or a missing one where nothing is followed */
function tail(bot: Operable, given: Given): Lines {
  const isFollowed = given['follow'] !== false;
  const since = sinceOf(given, Date.now());
  if (isFollowed) return bot.tail(since);
  if (since === Infinity) throw new RangeError('--no-follow: expected --since beside it, such as --since 10m, found none');
  return { ...bot.tail(since), begin: null };
}

/** `--since` of tail: a time, or how long ago. Infinity: from now on. @throws RangeError if it is neither */
function sinceOf(given: Given, now: number): number {
  const text = textAt(given, 'since');
  if (text === '') return Infinity;
  const agoMs = /[a-z]$/.test(text) ? durationOf(text) : Number.NaN;
  const at = Number.isNaN(agoMs) ? timeIn(text) : now - agoMs;
  if (Number.isNaN(at)) throw new RangeError(`"since": expected 10m, 2h or a UTC time such as 2026-11-22T08:00, found "${text}"`);
  return at;
}

/** Milliseconds since 1970 of a time in UTC, or with its zone; NaN if it is none. */
function timeIn(text: string): number {
  const hasZone = /[zZ]$|[+-]\d\d:\d\d$/.test(text);
  return /^\d{10,14}$/.test(text) ? Number(text) : Date.parse(hasZone ? text : utc(text));
}

function utc(text: string): string {
  return text.includes('T') || text.includes(' ') ? `${text.replace(' ', 'T')}Z` : `${text}T00:00Z`;
}

async function act(bot: Operable, name: ControlName, given: Given): Promise<ControlReply> {
  if (name === 'rotate-epoch') {
    await bot.note({ name: 'rotate-epoch', by: textAt(given, 'by', 'control'), why: textAt(given, 'why') });
    const did = [`new client ids are of epoch ${bot.rotateEpoch().toString(36)}; halts that waited for this have ended`];
    return ok({ ok: true, command: name, did, open: [], isDone: true } satisfies ActAnswer);
  }
  const asked = { by: textAt(given, 'by', 'control'), why: textAt(given, 'why') };
  const command = await commandIn(bot, name, given, asked);
  if ('ok' in command) return command.ok ? ok(command) : { status: 409, body: command };
  // The journal may be slow: waiting for it is a part of the time.
  const until = performance.now() + Number(given['wait'] ?? (name === 'flatten' || name === 'kill' ? FLATTEN_WAIT_MS : WAIT_MS));
  // A caller that does not say when it asked may have waited as long as the others may.
  const askedAt = Number(given['askedAt'] ?? machineNow() - BEGIN_MS);
  const typedAt = Number(given['typedAt'] ?? machineNow());
  const result = await (bot.asked(textAt(given, 'request')) ?? bot.operate(command, askedAt));
  if (!result.ok) return refused(409, result.code, result.message, result.hint);
  if (name === 'add-strategy' || name === 'remove-strategy') bot.openAgain();
  const effectAt = machineNow();
  let open = openOf(bot, result);
  while (open.length > 0 && performance.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
    open = openOf(bot, result);
  }
  const { did, flattens, forecast } = result;
  const now = machineNow();
  const end = flattens === '' || open.length > 0 ? undefined : flattenedOf(bot, flattens);
  const isTimed = name === 'halt' || name === 'reduce-only' || name === 'cancel-all' || flattens !== '';
  const times = isTimed ? timesOf({ effectMs: effectAt - typedAt, sinceMs: now - typedAt, isDone: open.length === 0, end }, result) : null;
  const said = flattens !== '' && open.length === 0 ? [...did, FLAT] : did;
  const answer: ActAnswer = {
    ok: true,
    command: name,
    did: [...said, ...(times === null ? [] : [timesText(times)]), ...(end?.score ? scoreText(end.score) : [])],
    open,
    isDone: open.length === 0,
    ...(flattens === '' ? {} : { flattens }),
    ...(forecast === undefined ? {} : { forecast }),
    ...(end?.score ? { score: end.score } : {}),
    ...(times === null ? {} : { times }),
  };
  return ok(answer);
}

/** The command; or the answer to one that is refused, or only looked at. */
async function commandIn(
  bot: Operable,
  name: ControlName,
  given: Given,
  asked: { by: string; why: string },
): Promise<OperatorCommand | RefusalAnswer | ActAnswer> {
  if (name === 'reload') return reloadOf(bot, given, asked);
  return name === 'add-strategy' ? additionIn(bot, given, asked) : commandOf(bot, name, given, asked);
}

/** The work that the command has started and not finished, in words. */
function openOf(bot: Operable, { orders, flattens }: Extract<OperatorResult, { ok: true }>): string[] {
  const wanted = new Set(flattens === '' ? orders : []);
  const live = bot.orders().filter(({ number }) => wanted.has(number));
  const open = live.map((order) =>
    `order ${order.number} ${order.symbol} ${order.side} ${order.effect} ${order.size}: ${order.state}`.replace(/ +/g, ' '),
  );
  if (flattens === '') return open;
  const { flattening = [], phase } = bot.status();
  const one = flattening.find(({ scope }) => scope === flattens);
  const last = flattenedOf(bot, flattens);
  if (one === undefined) return last?.isFlat === false ? [`${last.by} ended it before the positions were closed`] : [...(last?.left ?? [])];
  return [...one.open, ...(phase === 'armed' ? [] : [`the bot is ${phase}: it goes on when it is armed`])];
}

/** The newest flattening of the scope that has ended. */
function flattenedOf(bot: Operable, scope: string): Flattened | undefined {
  return bot.status().flattened?.findLast((one) => one.scope === scope);
}

function ok(body: object): ControlReply {
  return { status: 200, body };
}

function refused(status: number, code: string, message: string, hint: string): ControlReply {
  return { status, body: refusal(code, message, hint) };
}
