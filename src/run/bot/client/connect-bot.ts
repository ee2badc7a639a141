/** `connect` of 'tickwright/control': a typed client of a running bot, over the socket that the command line uses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../base/failure/failure.ts';
import type { ActAnswer, StatusAnswer } from '../../../control/answers.ts';
import type { Change, LogRow } from '../../../control/changes.ts';
import type { ControlName } from '../../../control/commands.ts';
import { raisesRisk } from '../../../control/raising.ts';
import { programVersion } from '../../setup/version.ts';
import { whoAsks } from '../outside/operate.ts';
import { BotDoor } from './bot-door.ts';
import type { ChangesOptions, ConnectOptions, OperatedBot, ReducingBot, Role, Time, ViewedBot } from './client-types.ts';

export { Refused } from './bot-door.ts';

const ROLES: readonly Role[] = ['view', 'reduce', 'operate'];
/** A bot that has gone is looked for so often, and so long by default. */
const AGAIN_MS = 250;
const WAIT_MS = 30_000;

/**
 * Finds a running bot and makes a client of it. With the role `reduce` or `operate` the client can act.
 * @throws Failure: bot-missing, bot-ambiguous, bot-silent, bot-version
 */
export function connect(options: ConnectOptions & { readonly role: 'operate' }): Promise<OperatedBot>;
export function connect(options: ConnectOptions & { readonly role: 'reduce' }): Promise<ReducingBot>;
export function connect(options?: ConnectOptions & { readonly role?: 'view' | undefined }): Promise<ViewedBot>;
export async function connect(options: ConnectOptions = {}): Promise<ViewedBot> {
  const { role = 'view', by = whoAsks('program') } = options;
  if (!ROLES.includes(role))
    throw new Failure('flag-value', { what: `expected ${ROLES.join(', ')}, found ${JSON.stringify(role)}`, where: 'option role' });
  const door = new BotDoor(options, by);
  const { version = '' } = (await door.ask('status')) as StatusAnswer;
  const own = programVersion();
  if (!isCompatible(version, own)) {
    const found = version === '' ? 'one that does not say it' : version;
    throw new Failure('bot-version', {
      what: `expected a bot of version ${own}, which this client has, found ${found}`,
      hint: 'use the same version of tickwright in both',
    });
  }
  return clientOf(door, role, version);
}

/** Versions that differ only where nothing is taken away: 0.1.x, or 1.x. */
export function isCompatible(one: string, other: string): boolean {
  const kept = (version: string): string => /^(?:0\.\d+|[1-9]\d*)(?=\.)/.exec(version)?.[0] ?? '';
  return kept(one) !== '' && kept(one) === kept(other);
}

function clientOf(door: BotDoor, role: Role, version: string): OperatedBot {
  const ask = async <T>(name: ControlName, given: Readonly<Record<string, unknown>> = {}): Promise<T> => (await door.ask(name, given)) as T;
  const act = async (name: ControlName, options: object = {}): Promise<ActAnswer> => {
    const given = { ...options };
    const isRaising = raisesRisk(name, given);
    if (role === 'view' || (role === 'reduce' && isRaising)) {
      const needed = isRaising ? 'operate' : 'reduce';
      throw new Failure('role-missing', {
        what: `expected a client of the role ${isRaising ? 'operate' : 'reduce or operate'}, found ${role}`,
        where: name,
        hint: `connect({ role: '${needed}' })`,
      });
    }
    return (await door.act(name, given)) as ActAnswer;
  };
  const period = ({ from, to }: { readonly from?: Time | undefined; readonly to?: Time | undefined } = {}) => ({
    from: timeText(from),
    to: timeText(to),
  });
  return {
    folder: door.folder,
    version,
    role,
    status: () => ask('status'),
    why: (what) => ask('why', { what }),
    orders: async (scope) => (await ask<{ orders: [] }>('orders', { scope })).orders,
    positions: async (scope) => (await ask<{ positions: [] }>('positions', { scope })).positions,
    fills: ({ scope, last, before, ...of } = {}) => ask('fills', { scope, last, before, ...period(of) }),
    pnl: async (by, of) => (await ask<{ groups: [] }>('pnl', { by, ...period(of) })).groups,
    limits: async (scope) => (await ask<{ limits: [] }>('limits', { scope })).limits,
    export: async (what, of) => (await ask<{ rows: [] }>('export', { what, ...period(of) })).rows,
    changes: (options) => changesOf(door, options),
    log: (options) => logOf(door, options),
    halt: (options) => act('halt', options),
    reduceOnly: (options) => act('reduce-only', options),
    cancelAll: (options) => act('cancel-all', options),
    flatten: (options) => act('flatten', options),
    kill: (options) => act('kill', options),
    remove: (options) => act('remove', { ...options }),
    removeStrategy: (strategy, options) => act('remove-strategy', { strategy, ...options }),
    resume: (options) => act('resume', options),
    endReduceOnly: (options) => act('reduce-only', { ...options, state: 'off' }),
    set: (strategy, parameter, value, options) => act('set', { strategy, assignment: `${parameter}=${String(value)}`, ...options }),
    reload: (strategy, options) => act('reload', { strategy, ...options }),
    add: (options) => act('add', { ...options }),
    addStrategy: (bot, { symbols, params, ...options }) =>
      act('add-strategy', {
        bot,
        symbols: symbols.join(','),
        params: params === undefined ? undefined : JSON.stringify(params),
        ...options,
      }),
    signal: (strategy, text) => act('signal', { strategy, text: typeof text === 'string' ? text : JSON.stringify(text) }),
    settle: (order, venueId, options) =>
      act('settle', {
        order: String(order),
        outcome: venueId === null ? 'not-landed' : 'landed',
        venueId: venueId ?? undefined,
        ...options,
      }),
    rotateEpoch: (options) => act('rotate-epoch', options),
  };
}

/** The text that the bot reads; "10m" and dates stay as they are. */
function timeText(time: Time | undefined): string | undefined {
  return time === undefined || typeof time === 'string' ? time : new Date(time).toISOString();
}

async function* changesOf(
  door: BotDoor,
  { after: from, signal, waitMs = WAIT_MS }: ChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  const own = new AbortController();
  const all = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  let after = from;
  let heardAt = performance.now();
  try {
    for (;;) {
      const lines = door.lines('events', { after }, all);
      let step = await lines.next();
      for (; step.done !== true; step = await lines.next()) {
        const change = JSON.parse(step.value) as Change;
        after = change.id;
        yield change;
        heardAt = performance.now();
        if (change.kind === 'end') return;
      }
      if (all.aborted) return;
      const { cause, code } = step.value;
      const isPassing = cause !== 'refused' || code === 'starting' || code === 'busy';
      if (!isPassing || performance.now() - heardAt > waitMs) throw door.whyGone(step.value, 'events');
      await sleep(AGAIN_MS, undefined, { signal: all }).catch(() => undefined);
      if (all.aborted) return;
    }
  } finally {
    own.abort();
  }
}

async function* logOf(
  door: BotDoor,
  { since, signal }: { readonly since?: Time | undefined; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<LogRow, void, undefined> {
  const own = new AbortController();
  const all = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  try {
    const lines = door.lines('tail', { since: timeText(since) }, all);
    let step = await lines.next();
    for (; step.done !== true; step = await lines.next()) yield JSON.parse(step.value) as LogRow;
    if (step.value.cause !== 'asked' && step.value.cause !== 'ended') throw door.whyGone(step.value, 'tail');
  } finally {
    own.abort();
  }
}
