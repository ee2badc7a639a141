/** `blackbox`: makes one file of a session that may be sent: an allow-list of fields, scrubbed, and replayed before it says that it replays. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { StrategyChoice } from '../../config/model.ts';
import { defaultConfig } from '../../config/defaults.ts';
import { Failure } from '../../base/failure/failure.ts';
import { isRecord } from '../../base/fields.ts';
import { tradedName } from '../../domain/instrument.ts';
import { nameOf } from '../../engine/strategy/definition/setup.ts';
import type { SourceFile, StrategySource } from '../../engine/strategy/definition/source.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import { openSession, replaySession, settingsOf, type OpenSession } from '../replay/replay.ts';
import { keptSourceOf } from '../setup/strategy/loaded-sources.ts';
import { type Head, HEAD } from '../session/entries.ts';
import { readTexts } from '../session/strategy-texts.ts';
import { writeBox, writeSource } from './box-file.ts';
import { noteEntry, recordBox } from './box-session.ts';
import { intentsOf } from './recorded-intents.ts';
import { BOT, Scrubber } from './scrubber.ts';

export interface BoxOptions {
  /** Folder of the session. */
  readonly session: string;
  readonly out: string;
  /** True: what the strategies asked for takes the place of their texts. */
  readonly isIntents: boolean;
}

export interface MadeBox {
  readonly file: string;
  readonly holds: readonly string[];
  readonly replays: boolean;
  /** Why it does not replay; "" if it does. */
  readonly why: string;
}

/** @throws Failure */
export async function makeBox({ session: folder, out, isIntents }: BoxOptions): Promise<MadeBox> {
  const work = mkdtempSync(join(tmpdir(), 'tickwright-blackbox-'));
  try {
    return await made(folder, out, isIntents, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function made(folder: string, out: string, isIntents: boolean, work: string): Promise<MadeBox> {
  const { head } = openSession(folder);
  const sources = isIntents ? await intentsOf(folder) : await textsOf(folder);
  const files = sources.map((source, k) => renamed(source, `strategy-${k + 1}`));
  for (const file of files.flat()) writeSource(work, file);
  const scrubber = new Scrubber({
    startedAt: head.startedAt,
    bot: head.config.bot,
    symbols: head.instruments.flatMap((one) => [one.symbol, tradedName(one), one.baseCoin, one.quoteCoin]),
    texts: files.flat().map(({ text }) => text),
    renames: isIntents ? await namesOf(folder) : new Map(),
  });
  if (head.snapshot !== null) scrubber.note(head.snapshot);
  for (const entry of openSession(folder).entries) noteEntry(scrubber, entry);
  scrubber.number();
  const scrubbed = scrubbedHead(
    scrubber,
    head,
    files.map(([entry]) => entry!.file),
    isIntents,
  );
  const local = { ...scrubbed, strategies: scrubbed.strategies.map((choice) => ({ ...choice, file: resolve(work, choice.file) })) };
  const opened: OpenSession = { ...openSession(folder), head: local, config: { ...defaultConfig(), ...local.config } };
  const settings = await settingsOf(
    { ...opened, reader: { folder: work, cut: null } as OpenSession['reader'] },
    local.strategies,
    local.snapshot,
  );
  const texts = local.strategies.map(() => null);
  const box = recordBox({ folder: join(work, 'sessions'), head: local, settings, texts, scrubber, entries: openSession(folder).entries });
  const replayed = await replaySession(box.folder);
  const differs =
    replayed.divergence === null
      ? box.differs
      : `the box does not replay: expected ${replayed.divergence.expected}, found ${replayed.divergence.found}`;
  const replays = differs === '';
  const holds = holdsOf(scrubber, local, { events: box.events, commands: box.commands }, isIntents, files.flat());
  writeBox(out, { blackbox: 1, holds, replays, files: files.flat() }, scrubbed, openSession(box.folder).entries);
  return { file: out, holds, replays, why: differs };
}

/** The texts with which the session began: those that it kept, or those of its files as they are now. @throws Failure */
async function textsOf(folder: string): Promise<readonly StrategySource[]> {
  const session = openSession(folder);
  const { head } = session;
  const { strategies } = await settingsOf(session, head.strategies, head.snapshot);
  const { begun } = readTexts(folder);
  return head.strategies.map(({ file }, k) => {
    const source = strategies[k]!.reload?.source ?? begun[k] ?? keptSourceOf(file);
    if (source !== null) return source;
    throw new Failure('strategy-load', {
      what: 'the text of this strategy is not in the recording, and is too long to be sent',
      where: file,
    });
  });
}

/** By name of a strategy the name of what takes its place. */
async function namesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const session = openSession(folder);
  const { strategies } = await settingsOf(session, session.head.strategies, session.head.snapshot, true);
  return new Map(strategies.map((setup, k) => [nameOf(setup), `strategy-${k + 1}`]));
}

/** The strategy's own file is `strategy.ts`; the others stay where its imports say. */
function renamed({ files }: StrategySource, root: string): readonly SourceFile[] {
  const [entry] = files;
  const folders = files.map(({ file }) => dirname(file).split(sep));
  const shared = folders.reduce((a, b) => a.slice(0, a.findIndex((part, k) => part !== b[k]) >>> 0)).join(sep);
  return files.map(({ file, text }) => {
    const inside = relative(shared, file);
    const name = file === entry!.file ? join(dirname(inside), `strategy${/\.\w+$/.exec(basename(file))?.[0] ?? '.ts'}`) : inside;
    return { file: join(root, name), text };
  });
}

function scrubbedHead(scrubber: Scrubber, head: Head, files: readonly string[], isIntents: boolean): Head {
  const { strategies, snapshot, modules: _modules, kind: _kind, ...rest } = head;
  const choices = strategies.map((choice, k) => ({
    ...(scrubber.scrub(choice, 'plain') as StrategyChoice),
    file: files[k]!,
    ...(isIntents ? { name: `strategy-${k + 1}`, params: {} } : {}),
  }));
  return {
    ...(scrubber.scrub(rest, 'plain') as Omit<Head, 'kind' | 'strategies' | 'snapshot' | 'modules'>),
    kind: HEAD,
    strategies: choices,
    modules: [],
    snapshot: snapshot === null ? null : scrubbedSnapshot(scrubber, snapshot, isIntents),
  };
}

/** What strategies saved is JSON of their own. Texts of a reload are left out. */
function scrubbedSnapshot(
  scrubber: Scrubber,
  { strategies, state, reloads: _reloads, ...rest }: KernelSnapshot,
  isIntents: boolean,
): KernelSnapshot {
  const saved = isIntents ? [] : Object.entries(strategies).map(([name, text]) => [scrubber.scrub(name, 'name'), scrubber.state(text)]);
  return {
    ...(scrubber.scrub(rest, 'plain') as KernelSnapshot),
    strategies: Object.fromEntries(saved) as KernelSnapshot['strategies'],
    ...(isRecord(state) && !isIntents
      ? { state: JSON.parse(scrubber.state(JSON.stringify(state))) as NonNullable<KernelSnapshot['state']> }
      : {}),
  };
}

function holdsOf(
  scrubber: Scrubber,
  head: Head,
  { events, commands }: { readonly events: number; readonly commands: number },
  isIntents: boolean,
  files: readonly SourceFile[],
): readonly string[] {
  const symbols = [...new Set(head.instruments.map((one) => one.symbol))];
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  const { ids, texts } = scrubber.counts;
  return [
    `${events} events and ${commands} commands in ${symbols.join(', ')}, with their prices, sizes, fees and balances as they were`,
    'limits, polls and parameters of the strategies',
    isIntents
      ? 'what the strategies asked for, in place of their texts'
      : `the texts of ${head.strategies.length} strategies: ${characters} characters, as they are`,
    `times shifted by whole weeks: the day of the week and the time of day stay; the bot is called "${BOT}"`,
    `${ids} ids and ${texts} texts under other names, each always under the same`,
    ...(scrubber.leftOut.size === 0 ? [] : [`left out are fields that a box does not hold: ${[...scrubber.leftOut].sort().join(', ')}`]),
  ];
}
