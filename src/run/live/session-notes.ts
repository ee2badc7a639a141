/** Writes the notes that a reader of a session's report should know before believing it. */
import { formatMoney } from '../../domain/instrument.ts';
import { damageOf, type LiveSessions } from './facts/read-sessions.ts';

/** `start` is the equity at the start, `explained` that of the report at the last read of the account. Money, 10⁻⁸. */
export function sessionNotes({ parts, facts }: LiveSessions, start: number, explained: number): string[] {
  const { equity, fills, estimated, guessed, placedBetween, lost, startLegs, steps, instruments } = facts;
  const notes = [
    'fills are what the bot learned from order records and positions, at the time it learned it: executions between two reads are one fill.',
  ];
  if (parts.length > 1) notes.push(`it joins ${parts.length} sessions; between them the bot did not run.`);
  const open = parts.filter(({ played, cut }) => cut === null && played.end !== 'stopped').length;
  notes.push(...damageOf(parts));
  if (open > 0)
    notes.push(`${open} of ${parts.length} recordings end without a stop of the bot: what came after their last block is missing.`);
  if (placedBetween > 0) notes.push(`${placedBetween} orders were placed after the end of a recording: why is not recorded.`);
  if (lost > 0) notes.push(`of ${lost} orders that ended after the end of a recording, nothing shows how.`);
  const between = fills.filter(({ what }) => what === 'unrecorded').length;
  if (between > 0) {
    notes.push(
      `of ${between} fills it is not recorded what placed them; ${guessed} of them are known from changes of positions alone, and are estimated with the last price seen before and the fee of a taker.`,
    );
  }
  const unread = [...startLegs.values()].filter(({ price }) => price === 0).length;
  if (unread > 0)
    notes.push(`the entry price of ${unread} positions at the start was not read: what they had earned by then counts as earned here.`);
  if (estimated > 0) notes.push(`of ${estimated} orders no record showed fee and profit: they are estimated with the fee of a taker.`);
  const external = fills.filter(({ what }) => what === 'external');
  if (external.length > 0) {
    const result = external.reduce((sum, { realised, fee }) => sum + realised - fee, 0);
    notes.push(
      `${external.length} fills are of somebody else's orders on these positions; their profit less fees is ${formatMoney(result)}.`,
    );
  }
  if (steps.some((step) => step.kind === 'command' && instruments[step.command.instrument]?.product === 'spot')) {
    notes.push('spot orders are counted, but their profit is not: the interface has no record of their fills.');
  }
  const last = equity.at(-1);
  if (last !== undefined) {
    const rest = last.equity - explained;
    notes.push(
      `up to its last read the account's equity (E9) changed by ${formatMoney(last.equity - start)}; this report explains it but for ${formatMoney(rest)}: the age of the prices, deposits, and what others did.`,
    );
  }
  return notes;
}
