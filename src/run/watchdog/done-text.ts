/** Words what a watchdog did and left: for the alert, the dashboard, and `status` of a bot that hangs or is dead. */
import { counted } from '../../base/text/figures.ts';
import { utc } from '../setup/utc.ts';
import { StatusFile, type WatchdogStatus } from './status-file.ts';

/** "It cancelled 6 opening orders: …. No opening order of the bot is left. Positions and closing orders stay." */
export function doneText({ did, flattenAfterMs, left, positions, state }: WatchdogStatus): string {
  const rest = [left === 0 ? '' : counted(left, 'opening order'), ...positions].filter((text) => text !== '');
  const isDone = state === 'done';
  const nothing = isDone ? 'No opening order of the bot is left.' : '';
  return [
    did === '' ? `It has cancelled and closed nothing${isDone ? '' : ' yet'}.` : `It ${did}.`,
    rest.length === 0 ? nothing : `Left: ${rest.join('; ')}.`,
    flattenAfterMs === 0 ? 'Positions and closing orders stay.' : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** What the watchdog did for a bot that was last heard at `heardAt` (milliseconds since 1970), with its time; "" if it has not acted since. */
export function actedSince(folder: string, heardAt: number): string {
  const status = new StatusFile(folder).read();
  if (status === null || (status.state !== 'acting' && status.state !== 'done') || status.since <= heardAt) return '';
  const begun = status.state === 'done' ? 'was done' : 'began';
  return `it ${begun} at ${utc(status.since)}. ${doneText(status)}`;
}
