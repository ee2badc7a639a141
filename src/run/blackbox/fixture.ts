/** The fixture of a test that shows a fault: the head of a session, the fewest events, and the fault. Strategies are files beside it. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultConfig } from '../../config/defaults.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { OpenSession } from '../replay/replay.ts';
import { settingsOf } from '../replay/replay.ts';
import type { Head } from '../session/entries.ts';
import { ofJson } from './box-file.ts';
import { faultOf, isShown } from './fault.ts';
import { playLoosely, type LooseEvent } from './loose-play.ts';

export interface Fixture {
  readonly fixture: 1;
  readonly fault: string;
  /** Paths of strategies are relative to the fixture. */
  readonly head: Head;
  readonly events: readonly LooseEvent[];
}

/**
 * Plays the events of a fixture that `tickwright shrink` wrote, with the strategies as they are on disk now. Returns the fault if it still shows, and ""
 * if it does not. @throws Failure if the fixture or a strategy cannot be read
 */
export async function shownFault(fixture: URL | string): Promise<string> {
  const file = fixture instanceof URL || fixture.startsWith('file:') ? fileURLToPath(fixture) : resolve(fixture);
  const { fixture: version, fault: text, head, events } = ofJson(readFileSync(file, 'utf8')) as Fixture;
  if (version !== 1) throw new Failure('session-unreadable', { what: 'expected a fixture of `tickwright shrink`, version 1', where: file });
  const local = { ...head, strategies: head.strategies.map((choice) => ({ ...choice, file: resolve(dirname(file), choice.file) })) };
  const fault = faultOf(text);
  let isSeen = false;
  // A test has a runner around it, which needs what strategies may not use.
  const settings = await looseSettings({ ...local, config: { ...local.config, strategyGuard: 'off' } });
  playLoosely(local, settings, events, (shown) => (isSeen = isShown(fault, shown)));
  return isSeen ? text : '';
}

/** What a kernel of this head is made of, with the strategies on disk. @throws Failure */
export function looseSettings(head: Head): ReturnType<typeof settingsOf> {
  const session = { head, config: { ...defaultConfig(), ...head.config }, reader: { folder: '' } } as unknown as OpenSession;
  return settingsOf(session, head.strategies, head.snapshot);
}
