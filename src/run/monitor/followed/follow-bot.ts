/** Follows the stream of changes of a bot, over its end and its next start, and says whether the bot is heard. */
import type { Change, ConnectionRow } from '../../../control/changes.ts';
import { streamControl } from '../../../edge/control/control-client.ts';

/** A bot sends a status each second: one that sends nothing for so long is lost, also with an open socket. */
const SILENT_MS = 5_000;
const AGAIN_MS = 250;
/** A bot that is to start again in place, and is not heard for so long, has failed to. */
const REOPENS_MS = 60_000;

export interface Follower {
  readonly folder: string;
  readonly now: () => number;
  readonly onChange: (change: Change) => void;
  readonly onConnection: (connection: ConnectionRow) => void;
  /** When a bot that has stopped was last known, and how it ended; null if it runs, is starting, or nothing is known of it. */
  readonly stopped: () => { readonly at: number; readonly how: string } | null;
}

/** Follows until `signal` aborts. Resolves then. */
export async function followBot({ folder, now, onChange, onConnection, stopped }: Follower, signal: AbortSignal): Promise<void> {
  let [after, heardAt, hasEnded, opensAgain] = ['', 0, false, false];
  let state = 'starting' as ConnectionRow['state'];
  const tell = (next: ConnectionRow['state'], cause: string, since = now()): void => {
    if (next === state) return;
    state = next;
    onConnection({ state, since, heardAt, cause, ...(next === 'stopped' && opensAgain ? { again: true } : {}) });
  };
  const onLine = (line: string): void => {
    const change = JSON.parse(line) as Change;
    after = change.id;
    heardAt = now();
    hasEnded = change.kind === 'end';
    opensAgain = change.kind === 'end' && change.end.again === true;
    onChange(change);
    if (hasEnded) tell('stopped', opensAgain ? 'the bot starts again in place' : 'the bot was stopped');
    else tell('connected', '');
  };
  const watch = setInterval(() => {
    const silentMs = now() - heardAt;
    if (state === 'connected' && silentMs > SILENT_MS) tell('lost', 'the bot sends nothing: it stands still, or is overloaded');
    if (state === 'stopped' && opensAgain && silentMs > REOPENS_MS) tell('lost', 'the bot was to start again in place, and did not');
  }, AGAIN_MS);
  while (!signal.aborted) {
    const given = after === '' ? {} : { after };
    const { cause, said } = await streamControl(folder, { method: 'GET', name: 'events', given }, onLine, signal, () => false);
    // A monitor that was asked to end has hung up itself: PM2 ends the processes of a bot all at once.
    if (!hasEnded && state === 'connected' && !signal.aborted) tell('lost', `the bot has gone (${cause}${said === '' ? '' : `: ${said}`})`);
    const last = state === 'starting' && !signal.aborted ? stopped() : null;
    if (last !== null) tell('stopped', last.how, last.at);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, AGAIN_MS);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve(undefined)), { once: true });
    });
  }
  clearInterval(watch);
}
