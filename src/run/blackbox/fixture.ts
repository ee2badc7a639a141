/** The fixture of a test that shows a fault: the head of a session, the fewest events, and the fault. Strategies are files beside it. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../base/failure/failure.ts';
import type { Head } from '../session/entries.ts';
import type { LooseEvent } from './loose-play.ts';

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
  // Every test of a strategy loads this file, and few need what plays events.
  const { isStillShown, ofJson } = await import('./played-fault.ts');
  const file = fixture instanceof URL || fixture.startsWith('file:') ? fileURLToPath(fixture) : resolve(fixture);
  const { fixture: version, fault: text, head, events } = ofJson(readFileSync(file, 'utf8')) as Fixture;
  if (version !== 1) throw new Failure('session-unreadable', { what: 'expected a fixture of `tickwright shrink`, version 1', where: file });
  const local = { ...head, strategies: head.strategies.map((choice) => ({ ...choice, file: resolve(dirname(file), choice.file) })) };
  return (await isStillShown(local, events, text)) ? text : '';
}
