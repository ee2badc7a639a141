/** Plays the events of a fixture and says whether its fault still shows. */
import { defaultConfig } from '../../config/defaults.ts';
import { settingsOf, type OpenSession } from '../replay/replay.ts';
import type { Head } from '../session/entries.ts';
import { faultOf, isShown } from './fault.ts';
import { playLoosely, type LooseEvent } from './loose-play.ts';

export { ofJson } from './box-file.ts';

/** True if the fault shows with the strategies as they are on disk. @throws Failure if one cannot be read */
export async function isStillShown(head: Head, events: readonly LooseEvent[], text: string): Promise<boolean> {
  const fault = faultOf(text);
  let isSeen = false;
  // A test has a runner around it, which needs what strategies may not use.
  const settings = await looseSettings({ ...head, config: { ...head.config, strategyGuard: 'off' } });
  playLoosely(head, settings, events, (shown) => (isSeen = isShown(fault, shown)));
  return isSeen;
}

/** What a kernel of this head is made of, with the strategies on disk. @throws Failure */
export function looseSettings(head: Head): ReturnType<typeof settingsOf> {
  const session = { head, config: { ...defaultConfig(), ...head.config }, reader: { folder: '' } } as unknown as OpenSession;
  return settingsOf(session, head.strategies, head.snapshot);
}
