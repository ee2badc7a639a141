/** Asks the running bot of a configuration for its status, without waiting for a start. */
import type { StatusAnswer } from '../../../control/answers.ts';
import type { BotConfig } from '../../../config/model.ts';
import { callControl } from '../../../edge/control/control-client.ts';
import { stateFolder } from '../../setup/state-folder.ts';

/** null if no bot runs or it does not answer. */
export async function runningStatus(config: Pick<BotConfig, 'store' | 'bot'>): Promise<StatusAnswer | null> {
  const called = await callControl(stateFolder(config), { method: 'GET', name: 'status', given: {} });
  return called.isThere && called.status === 200 ? (called.body as StatusAnswer) : null;
}
