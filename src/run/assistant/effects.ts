/**
 * The exact effect of a command that an assistant proposes, as sentences that a person reads and a hash binds. What changes with every tick
 * (prices, fees, the numbers of resting orders) is a forecast beside them: it binds nothing.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../base/failure/failure.ts';
import type { ActAnswer, OrderAnswer, RefusalAnswer, StatusAnswer } from '../../control/answers.ts';
import type { ControlName } from '../../control/commands.ts';
import type { Forecast } from '../../domain/messages/forecast.ts';
import { operate } from '../bot/outside/operate.ts';
import { readBot, type BotPlace } from './read-tools.ts';

/** What may be proposed: commands that lower risk, and parameters of strategies. Each is a command of the control plane. */
export const PROPOSED = ['halt', 'reduce-only', 'cancel-all', 'flatten', 'kill', 'set'] as const satisfies readonly ControlName[];
export type ProposedName = (typeof PROPOSED)[number];

export interface Proposed {
  readonly name: ProposedName;
  /** Fields of the command. */
  readonly given: Readonly<Record<string, string>>;
}

export interface Effect {
  readonly lines: readonly string[];
  /** As things stand now; binds nothing. */
  readonly forecast: readonly string[];
  /** Of bot, command and lines. */
  readonly hash: string;
}

/** Asks the bot, which must run. @throws Failure if the command makes no sense now */
export async function effectOf(place: BotPlace, proposed: Proposed): Promise<Effect> {
  const status = (await readBot(place, 'status', {})) as StatusAnswer;
  if (!status.isRunning) throw new Failure('bot-missing', { what: 'the bot does not run: nothing can be proposed' });
  const { lines, forecast } = await parts(place, proposed, status);
  const bound = JSON.stringify([
    status.bot,
    place.folder,
    proposed.name,
    Object.entries(proposed.given).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    lines,
  ]);
  return { lines, forecast, hash: createHash('sha256').update(bound).digest('hex') };
}

type Parts = Pick<Effect, 'lines' | 'forecast'>;

async function parts(place: BotPlace, proposed: Proposed, status: StatusAnswer): Promise<Parts> {
  const { name, given } = proposed;
  const scope = given['scope'] ?? '';
  switch (name) {
    case 'halt': {
      const resting = await ordersOf(place, scope);
      return {
        lines: [haltLine(scope), 'Resting orders stay, closing orders and cancels are still sent.'],
        forecast: resting.map(orderLine),
      };
    }
    case 'reduce-only': {
      const opening = (await ordersOf(place, scope)).filter(({ effect }) => effect === 'OPEN');
      return { lines: [haltLine(scope), ...cancelLines(opening, 'opening')], forecast: opening.map(orderLine) };
    }
    case 'cancel-all': {
      const own = await ordersOf(place, scope);
      return { lines: [...cancelLines(own, 'own'), 'Strategies may place new ones.'], forecast: own.map(orderLine) };
    }
    case 'flatten':
    case 'kill':
      return rehearsed(await rehearsal(place, name, scope), name);
    case 'set':
      return setParts(given, status);
  }
}

function haltLine(scope: string): string {
  return `No opening order of ${scope === '' ? 'the whole bot' : scope} is sent, until a person ends it with \`tickwright resume\`.`;
}

/** By symbol and side: a strategy that renews its quotes does not change what is cancelled. */
function cancelLines(orders: readonly OrderAnswer[], what: string): readonly string[] {
  const groups = [...new Set(orders.map(({ symbol, side, effect }) => [symbol, side, effect].join(' ').trim()))].sort();
  return groups.length === 0 ? [`There is no ${what} order to cancel now.`] : [`Cancels the ${what} orders of ${groups.join(', ')}.`];
}

function orderLine({ number, symbol, side, effect, size, price, state }: OrderAnswer): string {
  return `order ${number}: ${symbol} ${side} ${effect} ${size}${price === '' ? '' : ` at ${price}`}, ${state}`;
}

async function ordersOf(place: BotPlace, scope: string): Promise<readonly OrderAnswer[]> {
  const { orders } = (await readBot(place, 'orders', scope === '' ? {} : { scope })) as { readonly orders: readonly OrderAnswer[] };
  return orders;
}

async function rehearsal({ folder, config }: BotPlace, name: 'flatten' | 'kill', scope: string): Promise<Forecast> {
  const given = { rehearse: true, by: 'assistant', why: 'a proposal', ...(scope === '' ? {} : { scope }) };
  const { body, isRefused } = await operate(folder, name, given, config);
  if (isRefused) throw new Failure('command-line', { what: (body as RefusalAnswer).message });
  return (body as ActAnswer).forecast!;
}

function rehearsed({ cancels, closes, stays, fee, slippage }: Forecast, name: 'flatten' | 'kill'): Parts {
  const groups = [...new Set(cancels.map(({ symbol, what }) => `${symbol} ${what}`))].sort();
  return {
    lines: [
      ...(name === 'kill' ? ['Nothing opens again, not even after a restart, until a person types `tickwright resume --i-know`.'] : []),
      groups.length === 0 ? 'There is no own order to cancel now.' : `Cancels the own orders of ${groups.join(', ')}.`,
      ...(closes.length === 0 ? ['There is no position to close now.'] : []),
      ...closes.map(({ symbol, side, size }) => `Closes ${symbol} ${side} ${size} with market orders.`),
      ...stays.map((line) => `Stays: ${line}`),
    ],
    forecast: [
      ...cancels.map(({ number, symbol, what, size, state }) => `order ${number}: ${symbol} ${what} ${size}, ${state}`),
      ...closes.map(
        ({ symbol, side, price, priceOf }) => `${symbol} ${side} at about ${price || 'an unknown price'} ${priceOf && `(${priceOf})`}`,
      ),
      `fees about ${fee || 'unknown'}, slippage about ${slippage || 'unknown'}`,
    ],
  };
}

function setParts({ strategy = '', assignment = '' }: Readonly<Record<string, string>>, { strategies }: StatusAnswer): Parts {
  const found = strategies.find(({ name }) => name === strategy);
  if (found === undefined)
    throw new Failure('command-line', {
      what: `there is no strategy ${strategy}: there are ${strategies.map(({ name }) => name).join(', ')}`,
    });
  const at = assignment.indexOf('=');
  const param = assignment.slice(0, at);
  const before = Object.hasOwn(found.params, param) ? found.params[param] : undefined;
  if (before === undefined)
    throw new Failure('command-line', { what: `${strategy} has no parameter ${param}: there are ${Object.keys(found.params).join(', ')}` });
  const after = assignment.slice(at + 1);
  return {
    lines: [
      `Parameter ${param} of ${strategy}: ${before} becomes ${after === '' ? 'the configured value' : after}.`,
      'The strategy is created again with it. Its orders stay. The value survives a restart.',
    ],
    forecast: [],
  };
}
