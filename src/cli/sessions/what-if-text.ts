/** Says in words what another strategy file would have done. */
import { formatMoneyShort } from '../../domain/instrument.ts';
import { commandText } from '../../run/replay/difference.ts';
import type { Simulated } from '../../run/replay/simulated.ts';
import type { WhatIf } from '../../run/replay/what-if.ts';

/** Commands that are shown of each side. */
const SHOWN = 10;

export function whatIfText({
  session,
  instruments,
  changes,
  events,
  commands,
  divergence,
  isFromSnapshot,
  simulated,
  endedAt,
}: WhatIf): string {
  const lines = [session, ...changes.map((change) => `  ${change}`)];
  if (simulated === null) {
    lines.push(`  the same commands as recorded: ${events} events, ${commands} commands`);
    return `${lines.join('\n')}\n`;
  }
  if (isFromSnapshot) lines.push(`  restarted from the state that was saved after event ${events} at ${timeOf(endedAt)}`);
  else if (divergence !== null) {
    lines.push(`  the same commands as recorded until event ${divergence.event} (${divergence.kind}) at ${timeOf(divergence.at)}`);
    lines.push(`    recorded: ${divergence.expected}`, `    what if:  ${divergence.found}`);
  }
  lines.push('  From here on the answers are no longer those of the venue: a simulated venue has the recorded market.');
  lines.push(...simulatedLines(simulated));
  for (const [name, given] of [
    ['recorded', simulated.recorded],
    ['what if', simulated.commands],
  ] as const) {
    lines.push(`  ${given.length} commands from there on, ${name}${given.length > SHOWN ? `, the first ${SHOWN}` : ''}:`);
    for (const { at, command } of given.slice(0, SHOWN)) lines.push(`    ${timeOf(at)} ${commandText(command, instruments)}`);
  }
  return `${lines.join('\n')}\n`;
}

function simulatedLines({ endedAt, fills, startEquity, equity, recordedEquity, leftOut }: Simulated): string[] {
  const lines = [
    `  equity from ${formatMoneyShort(startEquity)} to ${formatMoneyShort(equity)} simulated, with ${fills} fills, until ${timeOf(endedAt)}`,
    `  equity ${formatMoneyShort(recordedEquity)} at the end of the recording, as the venue said it`,
  ];
  if (leftOut > 0) lines.push(`  ${leftOut} open trigger or spot orders were not taken over by the simulated venue`);
  return lines;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
