/** Decides whether a bot is well enough to tell the world so: a watcher outside calls a person when it is not told for some minutes. */
import type { ReadModel } from '../model/read-model.ts';
import { SILENT_MS } from './alert-inputs.ts';

/** Reads that are older are not fresh. Prices and positions are read each second or so. */
const FRESH_MS = 60_000;

/** "" if the bot is armed, its event loop has turned since `turns`, and its reads are fresh; else what is wrong. */
export function faultOf(
  { connection, status }: ReadModel,
  { heardAt, turns, now }: { heardAt: number; turns: number; now: number },
): string {
  if (connection.state !== 'connected' || status === null || now - heardAt >= SILENT_MS) return 'the bot is not heard';
  if (status.phase !== 'armed') return `the bot is not armed: ${status.phase}`;
  if (status.health.turns <= turns) return 'the event loop of the bot has not turned';
  const { positions = 0, prices = 0, equity = 0 } = status.readAt ?? {};
  if (now - prices > FRESH_MS) return 'prices are old';
  // A bot on spot alone reads no positions: the equity shows that the account answers.
  return now - Math.max(positions, equity) > FRESH_MS ? 'the account was not read' : '';
}
