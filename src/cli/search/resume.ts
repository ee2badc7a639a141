/** `optimize --resume`: a study keeps the flags that it was begun with, so that its name is enough to continue it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { storedCommand } from '../../run/search/study/study-store.ts';
import { KEPT_FLAGS, PATH_FLAGS, type OptimizeFlags } from './optimize-flags.ts';

const ENDING = '.study';

/** The flags that a study keeps. */
export function commandText(flags: OptimizeFlags): string {
  const kept = KEPT_FLAGS.map((name) => {
    const value = flags[name];
    const isPath = typeof value === 'string' && (PATH_FLAGS as readonly string[]).includes(name) && existsSync(value);
    return [name, isPath ? resolve(value) : value] as const;
  });
  return JSON.stringify(Object.fromEntries(kept));
}

/** The flags of the study, under those that say how it is continued. @throws Failure (path-missing, study-unusable, report-unreadable) */
export function resumed(given: OptimizeFlags, name: string): OptimizeFlags {
  const study = studyFile(name);
  const text = storedCommand(study);
  if (text === null) {
    throw new Failure('study-unusable', {
      what: 'the study does not say how it was begun: an older version made it, or it ended before its first trial',
      where: study,
      hint: `type the whole optimize command again, with --study ${study}`,
    });
  }
  const kept = JSON.parse(text) as OptimizeFlags;
  const { workers, redis, out, html, json, markdown, tables, tableFormat, tableNumbers, trials = kept.trials } = given;
  const own = { workers, redis, out, html, json, markdown, tables, tableFormat, tableNumbers, trials, study };
  return { ...kept, ...defined(own) };
}

/** The file of a study by its name, with or without its ending. @throws Failure (path-missing) naming the studies beside it */
function studyFile(name: string): string {
  const file = [name, name + ENDING].find((one) => existsSync(one) && statSync(one).isFile());
  if (file !== undefined) return resolve(file);
  const folder = dirname(name);
  const studies = existsSync(folder) ? readdirSync(folder).filter((one) => one.endsWith(ENDING)) : [];
  const near = didYouMean(basename(name) + ENDING, studies);
  const there = studies.length === 0 ? `no file there ends in ${ENDING}` : `there are ${studies.sort().join(', ')}`;
  throw new Failure('path-missing', {
    what: `there is no study ${name} or ${name}${ENDING} in ${resolve(folder)}`,
    where: '--resume',
    hint: near ?? there,
  });
}
