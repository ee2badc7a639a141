/** Makes commands of the kernel of checked control calls. */
import { Failure } from '../../../base/failure/failure.ts';
import { textAt } from '../../../base/fields.ts';
import type { ActAnswer, RefusalAnswer } from '../../../control/answers.ts';
import type { ControlName } from '../../../control/commands.ts';
import type { OperatorCommand } from '../../../engine/operator/command.ts';
import { noStrategy } from '../../../engine/operator/refusals.ts';
import { shortHash } from '../../../engine/strategy/definition/source.ts';
import type { FieldProblem, Operable } from './operable.ts';

export type Given = Readonly<Record<string, unknown>>;

/** With the text on disk. A file that cannot be loaded is refused before anything is journaled. */
export async function reloadOf(bot: Operable, given: Given, asked: { by: string; why: string }): Promise<OperatorCommand | RefusalAnswer> {
  const strategy = textAt(given, 'strategy');
  try {
    const read = await bot.reread(strategy);
    const wanted = textAt(given, 'sha256');
    if (read !== null && wanted !== '' && read.source.sha256 !== wanted)
      return refusal(
        'refused',
        `expected the text ${wanted.slice(0, 12)} on disk, found ${shortHash(read.source)}`,
        'the file was changed meanwhile',
      );
    if (read !== null) return { name: 'reload', ...read, ...asked };
    const { code, message, hint } = noStrategy(
      strategy,
      bot.status().strategies.map((one) => one.name),
    );
    return refusal(code, message, hint);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refusal('refused', error.message, error.problems[0]?.hint ?? '');
  }
}

/** A ready-made bot; with `rehearse` only what it would do. */
export async function additionIn(
  bot: Operable,
  given: Given,
  asked: { by: string; why: string },
): Promise<OperatorCommand | RefusalAnswer | ActAnswer> {
  const fields = Object.fromEntries(['bot', 'symbols', 'params', 'name'].map((key) => [key, textAt(given, key)]));
  try {
    const found = await bot.addition(fields);
    if (!('added' in found)) return refusalOf(found);
    const { added, effects, name } = found;
    if (given['rehearse'] === true) return { ok: true, command: 'add-strategy', did: effects, open: [], isDone: true };
    return { name: 'add-strategy', strategy: name, added, ...asked };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refusal('refused', error.message, error.problems[0]?.hint ?? '');
  }
}

export function commandOf(
  bot: Operable,
  name: ControlName,
  given: Given,
  asked: { by: string; why: string },
): OperatorCommand | RefusalAnswer {
  const scope = textAt(given, 'scope');
  if (given['rehearse'] === true) return { name: 'rehearse', of: name === 'kill' ? 'kill' : 'flatten', scope, ...asked };
  switch (name) {
    case 'kill':
      return { name, ...asked };
    case 'resume':
      return { name, scope, confirmed: given['confirmed'] === true, ...asked };
    case 'reduce-only':
      return { name, scope, isOn: given['state'] !== 'off', ...asked };
    case 'settle': {
      const seq = numberOf(textAt(given, 'order'), bot);
      const venueId = given['outcome'] === 'landed' ? textAt(given, 'venueId') : null;
      if (seq === null) return refusal('no-such-order', `"${textAt(given, 'order')}" is neither a number nor a client id of this bot`, '');
      if (venueId === '') return refusal('bad-request', 'an order that landed has an id at the venue', 'settle ORDER landed VENUE-ID');
      return { name, seq, venueId, ...asked };
    }
    case 'signal':
      return { name, strategy: textAt(given, 'strategy'), text: textAt(given, 'text'), ...asked };
    case 'set': {
      const assignment = textAt(given, 'assignment');
      const at = assignment.indexOf('=');
      return { name, strategy: textAt(given, 'strategy'), param: assignment.slice(0, at), value: assignment.slice(at + 1), ...asked };
    }
    case 'add':
      return { name, strategy: textAt(given, 'strategy'), symbol: textAt(given, 'symbol'), ...asked };
    case 'remove-strategy':
      return { name, strategy: textAt(given, 'strategy'), ...asked };
    case 'remove': {
      const position = given['position'] === 'keep' || given['position'] === 'flatten' ? given['position'] : '';
      return { name, strategy: textAt(given, 'strategy'), symbol: textAt(given, 'symbol'), position, ...asked };
    }
    default:
      return { name: name as 'halt' | 'cancel-all' | 'flatten', scope, ...asked };
  }
}

/** The order number in a text: a number, or a client id of this bot and epoch. */
function numberOf(text: string, { ids }: Operable): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const seq = ids.seqOf(text, Infinity);
  return seq > 0 ? seq : null;
}

export function refusal(code: string, message: string, hint: string): RefusalAnswer {
  return { ok: false, code, message, hint };
}

/** What is wrong, as a refusal. */
function refusalOf(problems: readonly FieldProblem[]): RefusalAnswer {
  const message = problems.map(({ field, message: text }) => (field === '' ? text : `${field}: ${text}`)).join('; ');
  return {
    ok: false,
    code: 'refused',
    message,
    hint: 'docs/bots.md has the bots, `tickwright init --bot` writes their parameters',
    problems,
  };
}
