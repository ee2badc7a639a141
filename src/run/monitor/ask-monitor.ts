/** Asks the monitor beside a bot, over its socket, which only this user can open. */
import { callControl } from '../../edge/control/control-client.ts';

/** The answer to one of them; null if no monitor runs there, or it knows none. */
export async function askMonitor(
  folder: string,
  name: 'address' | 'open' | 'last-status',
  given: Readonly<Record<string, string>>,
): Promise<object | null> {
  const called = await callControl(folder, { socket: 'monitor', method: name === 'open' ? 'POST' : 'GET', name, given });
  return called.isThere && called.status === 200 ? (called.body as object) : null;
}
