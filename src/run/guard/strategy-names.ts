/** The names of the strategies of this process, for both threads. */
import { NAME_LENGTH, NAMES_MAX } from '../../engine/strategy/definition/running.ts';

/** Names of the strategies that can have used memory, as both threads know them; not the files that were loaded. */
export function strategyNames(shared: Uint16Array): string[] {
  const found = new Set<string>();
  for (let slot = 0; slot < NAMES_MAX; slot++) {
    const from = slot * (NAME_LENGTH + 1);
    const name = String.fromCharCode(...shared.subarray(from + 1, from + 1 + shared[from]!));
    if (name !== '' && !/[/\\]/.test(name)) found.add(name);
  }
  return [...found];
}
