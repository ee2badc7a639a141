/** Answers the command `why` from a running bot, and about orders also from the journal of a stopped one. */
import type { Ladder } from '../../../domain/messages/why.ts';
import type { RefusalAnswer, WhyAnswer } from '../../../control/answers.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { ControlReply } from '../../../edge/control/control-server.ts';
import { storyOf } from '../answers/order-story.ts';
import type { QuerySource } from './operable.ts';

/** Code of the refusal of what the process that asks computes itself. */
export const REPLAYED_ELSEWHERE = 'replayed-elsewhere';

/** The number of the order that `what` names: a number, or a client id of this bot; 0 if it names none. */
function orderIn(what: string, ids: Pick<ClientIds, 'seqOf'>): number {
  return /^\d{1,15}$/.test(what) ? Number(what) : Math.max(0, ids.seqOf(what, Infinity));
}

/** The ladders of a symbol or a strategy, all for "". @throws RangeError if it names neither */
export function laddersFor(what: string, ladders: readonly Ladder[]): readonly Ladder[] {
  const found = ladders.filter(({ strategy, symbol }) => what === '' || strategy === what || symbol === what);
  if (found.length > 0 || ladders.length === 0) return found;
  const names = [...new Set(ladders.flatMap(({ strategy, symbol }) => [strategy, symbol]))];
  throw new RangeError(`"${what}": expected a strategy, a symbol that one trades, or an order; there are ${names.join(', ')}`);
}

/** `why` of a bot. A moment of the past is replayed by the process that asks (run/why/why.ts). */
export async function answerWhy(bot: QuerySource, what: string, at: string): Promise<ControlReply> {
  const number = orderIn(what, bot.ids);
  if (number > 0) {
    const story = await storyOf(bot.records(), bot.instruments, bot.ids, number);
    return story === null ? refused('no-such-order', `order ${what} is not in the journal of this bot`, '') : { status: 200, body: story };
  }
  if (at !== '' || bot.why === undefined) {
    return refused(
      REPLAYED_ELSEWHERE,
      'a moment of the past is computed from the recording',
      'tickwright why --at TIME does it, in a process of its own',
    );
  }
  const answer = bot.why(what);
  return { status: 200, body: { ...answer, ladders: laddersFor(what, answer.ladders) } satisfies WhyAnswer };
}

function refused(code: string, message: string, hint: string): ControlReply {
  return { status: 409, body: { ok: false, code, message, hint } satisfies RefusalAnswer };
}
