/** `shrink`: the fewest events of a session, or of a black box, that still show a fault, as a test that runs. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { openSession } from '../replay/replay.ts';
import { Player } from '../replay/player.ts';
import type { Head } from '../session/entries.ts';
import { isBox, openBox, toJson } from './box-file.ts';
import { differenceFault, faultIn, faultOf, faultText, isShown, type Fault } from './fault.ts';
import { fewest } from './fewest.ts';
import type { Fixture } from './fixture.ts';
import { looseSettings } from './played-fault.ts';
import { looseEvents, playLoosely, type LooseEvent, type Shown } from './loose-play.ts';

/** Plays that are spent on one session. */
const TRIES = 3_000;

export interface ShrinkOptions {
  /** Folder of a session, or a black box. */
  readonly from: string;
  /** The test: ends in .test.ts or .test.js. The fixture stands beside it. */
  readonly out: string;
  /** As `faultOf` reads it; undefined for the first that the replay shows. */
  readonly fault: string | undefined;
}

export interface Shrunk {
  readonly fault: string;
  readonly before: number;
  readonly after: number;
  readonly files: readonly string[];
}

/** @throws Failure if there is no such session, or no fault shows */
export async function shrink({ from, out, fault: named }: ShrinkOptions): Promise<Shrunk> {
  const stem = resolve(out).replace(/\.test\.[mc]?[jt]s$/, '');
  if (stem === resolve(out))
    throw new Failure('flag-value', { what: `expected a name that ends in .test.ts, found ${out}`, where: '--out' });
  const [test, fixture, folder] = [resolve(out), `${stem}.json`, `${stem}.files`];
  const taken = [test, fixture, folder].find((file) => existsSync(file));
  if (taken !== undefined) throw new Failure('files-exist', { what: `there is ${taken}: nothing was written`, where: '--out' });
  if (!isBox(from)) return shrunkTo([test, fixture], from, { from, named });
  try {
    const { session } = openBox(from, folder);
    const shrunk = await shrunkTo([test, fixture], session, { from, named });
    // Its events are in the fixture, and its strategies stay.
    rmSync(session, { recursive: true });
    return { ...shrunk, files: [...shrunk.files, folder] };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Asked {
  readonly from: string;
  /** The fault. */
  readonly named: string | undefined;
}

async function shrunkTo(files: readonly [test: string, fixture: string], session: string, { from, named }: Asked): Promise<Shrunk> {
  const { head, entries } = openSession(session);
  const all = looseEvents(entries);
  const settings = await looseSettings(head);
  const fault = named === undefined ? await firstFault({ from, session }, head, all) : faultOf(named);
  const shows = (events: readonly LooseEvent[]): number => {
    let isSeen = false;
    const count = playLoosely(head, settings, events, (shown) => (isSeen = isShown(fault, shown)));
    return isSeen ? count : 0;
  };
  const upTo = shows(all);
  if (upTo === 0)
    throw new Failure('fault-unseen', { what: `the session does not show "${faultText(fault)}" when its events are played`, where: from });
  const kept = await fewest(all.slice(0, upTo), (some) => shows(some) > 0, TRIES);
  const text = faultText(fault);
  const [test, beside] = files;
  const local = head.strategies.map((choice) => ({ ...choice, file: pathFrom(dirname(test), choice.file) }));
  const fixture: Fixture = { fixture: 1, fault: text, head: { ...head, strategies: local }, events: kept };
  writeFileSync(beside, `${toJson(fixture)}\n`, { mode: 0o600 });
  writeFileSync(test, testText(text, basename(beside), kept.length));
  return { fault: text, before: all.length, after: kept.length, files };
}

/** A difference of the replay, or else the first error, or else the first warning. @throws Failure */
async function firstFault(
  { from, session }: { readonly from: string; readonly session: string },
  head: Head,
  events: readonly LooseEvent[],
): Promise<Fault> {
  const opened = openSession(session);
  const player = new Player(opened.head, await looseSettings(head), opened.entries);
  player.play({});
  const { divergence } = player.result();
  if (divergence !== null) {
    let last: Shown | null = null;
    let count = 0;
    playLoosely(head, await looseSettings(head), events.slice(0, divergence.event), (shown) => {
      if (shown.event === 'command') last = shown;
      count++;
      return false;
    });
    const fault = count > 0 ? differenceFault(divergence, last) : null;
    if (fault !== null) return fault;
  }
  const settings = await looseSettings(head);
  for (const least of ['error', 'warn'] as const) {
    let found: Fault | null = null;
    playLoosely(head, settings, events, (shown) => (found = faultIn(shown, least)) !== null);
    if (found !== null) return found;
  }
  throw new Failure('fault-unseen', {
    what: 'the replay shows no error and no warning',
    where: from,
    hint: 'name what you saw: --fault "opens-halted code=daily-loss"',
  });
}

function pathFrom(folder: string, file: string): string {
  const path = relative(folder, file).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** In two parts: where this program is compiled, its own address takes the place of the whole. */
const OWN_ADDRESS = ['import.meta', 'url'].join('.');

function testText(fault: string, fixture: string, events: number): string {
  return `/** ${events} events of a session that show a fault. Made by \`tickwright shrink\`. It fails until the fault is mended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownFault } from 'tickwright/testing';

test(${JSON.stringify(`does not show: ${fault}`)}, async () => {
  assert.equal(await shownFault(new URL(${JSON.stringify(`./${fixture}`)}, ${OWN_ADDRESS})), '');
});
`;
}
