/** Words what a recording shows of each cause; null if it shows nothing, so that the cause cannot have changed anything. */
import { formatMoneyShort } from '../../../domain/instrument.ts';
import type { CauseName } from './causes.ts';
import type { Subject } from './session-subject.ts';
import { isDisturbance, type Trip } from './recording.ts';

export function evidenceOf(cause: CauseName, subject: Subject): string | null {
  const { facts, recording } = subject;
  const { commands, operations, process } = recording;
  switch (cause) {
    case 'start':
      return startOf(subject);
    case 'latency': {
      const { upMs, downMs } = subject.config.simulation;
      return `orders took ${rangeOf(recording.orderTrips)}, reads ${rangeOf(recording.readTrips)}; the model says ${upMs + downMs} ms`;
    }
    case 'polls': {
      const all = [...recording.answers.values()].flat();
      const failed = all.filter(({ answer }) => answer === null).length;
      return `${all.length} polls of the market${failed === 0 ? '' : `, ${failed} of them failed`}`;
    }
    case 'refusals': {
      const found = commands.filter((one) => isDisturbance(one) && one.outcome !== 'unknown');
      if (found.length === 0) return null;
      const unsent = found.filter(({ outcome }) => outcome === 'unsent').length;
      return `${found.length - unsent} refused, ${unsent} never sent`;
    }
    case 'unknowns': {
      const found = commands.filter(({ outcome }) => outcome === 'unknown');
      const landed = found.filter(({ landedAt }) => landedAt > 0).length;
      return found.length === 0 ? null : `${found.length} without an answer, ${landed} of them had landed`;
    }
    case 'operator':
      return operations.length === 0 ? null : countedNames(operations.map(({ command }) => command?.name ?? ''));
    case 'process': {
      const found = process.filter(({ text = '', size = 0 }) => text !== '' || size !== 0);
      return found.length === 0 ? null : `${found.length} events`;
    }
    case 'external': {
      const count = facts.fills.filter(({ what }) => what === 'external').length;
      return count === 0 ? null : `${count} fills`;
    }
    default:
      return facts.fills.length === 0 ? null : '';
  }
}

function startOf({ config, facts, recording }: Subject): string {
  const [read] = facts.equity;
  const { startLegs } = facts;
  const coin = facts.instruments.find(({ product }) => product === 'futures')?.quoteCoin ?? 'USDT';
  const deposit = config.simulation.deposits[coin] ?? '0';
  const from = read === undefined ? 'unknown equity' : `equity ${formatMoneyShort(read.equity)}`;
  const state = recording.head.snapshot === null ? 'nothing saved' : 'a saved state';
  return `${from} (the backtest: ${deposit}), ${startLegs.size} positions, ${state}`;
}

/** Round trips: the middle one and the longest of 99 %. */
function rangeOf(trips: readonly Trip[]): string {
  if (trips.length === 0) return 'no time';
  const sorted = trips.map(({ up, down }) => up + down).sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return `${at(0.5)} ms (p50) to ${at(0.99)} ms (p99)`;
}

function countedNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}
