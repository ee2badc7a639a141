/** Carries out a proposal that a person has approved. */
import { messageOf } from '../../base/failure/message-of.ts';
import { operate, whoAsks } from '../bot/outside/operate.ts';
import type { Operated } from '../bot/outside/operator-answer.ts';
import { AssistantJournal } from './assistant-journal.ts';
import { effectOf, type Effect } from './effects.ts';
import { checkEffect, proposalOf, take, type Proposal } from './proposals.ts';
import type { BotPlace } from './read-tools.ts';

/** The proposal with its effect now. @throws Failure if it was used, has expired, or its effect has changed */
export async function lookAt(place: BotPlace, id: string): Promise<{ readonly proposal: Proposal; readonly now: Effect }> {
  const proposal = proposalOf(place.folder, id, Date.now());
  const now = await effectOf(place, proposal);
  checkEffect(proposal, now);
  return { proposal, now };
}

/** Looks again, because the person took time to read. @throws Failure */
export async function approve(place: BotPlace, id: string, passphrase: string): Promise<Operated> {
  const { folder, config } = place;
  const journal = new AssistantJournal(folder);
  const by = whoAsks('approved');
  const note = (given: object, error: string): void => journal.add({ time: Date.now(), by, what: 'approve', given, error });
  try {
    const { proposal } = await lookAt(place, id);
    take(folder, proposal, passphrase);
    const { name, given, client, why } = proposal;
    const state = name === 'reduce-only' ? { state: 'on' } : {};
    const done = await operate(
      folder,
      name,
      { ...given, ...state, by: `${by}, proposed by ${client}`.slice(0, 200), why: why.slice(0, 200) },
      config,
    );
    note({ id, name, ...given, client }, done.isRefused ? String((done.body as { readonly message?: string }).message) : '');
    return done;
  } catch (error) {
    note({ id }, messageOf(error));
    throw error;
  }
}
