/** Tools that propose: they answer with the exact effect, an id and an expiry, and change nothing of the bot. */
import { Failure } from '../../base/failure/failure.ts';
import { CONTROL_COMMANDS } from '../../control/commands.ts';
import type { ControlField } from '../../control/control-command.ts';
import { TEXT } from '../../control/control-fields.ts';
import type { Tool } from '../../edge/mcp/serve.ts';
import { effectOf, PROPOSED, type ProposedName } from './effects.ts';
import { canApprove, propose, WRONG_MOST } from './proposals.ts';
import type { BotPlace } from './read-tools.ts';

/** Fields of the commands that an assistant may fill. */
const KEPT: ReadonlySet<string> = new Set(['scope', 'strategy', 'assignment']);
const WHY: ControlField = { kind: 'text', form: TEXT, doc: 'the reason, which the person reads' };

export function proposeTools(place: BotPlace): readonly Tool[] {
  return PROPOSED.map((name) => toolOf(place, name));
}

function toolOf(place: BotPlace, name: ProposedName): Tool {
  const { summary, does, fields } = CONTROL_COMMANDS.find((one) => one.name === name)!;
  const kept = Object.entries<ControlField>(fields).filter(([key]) => KEPT.has(key));
  return {
    name: `propose_${name.replace('-', '_')}`,
    description: `Propose: ${summary}. ${does.slice(0, 2).join(' ')} Changes nothing: a person reads the effect and approves it with a passphrase at a terminal, or does not. Tell them the id.`,
    fields: { ...Object.fromEntries(kept), why: WHY },
    isReading: false,
    async call({ why, ...rest }, { client }) {
      if (!canApprove(place.folder))
        throw new Failure('proposal-unfit', { what: 'nothing can be approved: the bot has no passphrase', hint: 'tickwright passphrase' });
      const given = rest as Readonly<Record<string, string>>;
      const effect = await effectOf(place, { name, given });
      const { id, expiresAt } = propose(place.folder, { name, given, client, why: String(why), effect }, Date.now());
      return {
        id,
        effect: effect.lines,
        forecast: effect.forecast,
        expires: new Date(expiresAt).toISOString(),
        approve: `a person types \`tickwright approve ${id}\` at a terminal, and the passphrase of the bot; ${WRONG_MOST} wrong ones void it`,
        done: false,
      };
    },
  };
}
