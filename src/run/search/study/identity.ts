/** The identity of a study: everything that its trials depend on, as short texts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { MANIFEST_FILE } from '../../../tape/file/manifest.ts';
import { dimensionText, type Dimension } from '../../../search/space.ts';
import { constraintText, type Constraint, type Objective } from '../../../search/trial.ts';
import { configDigest } from '../../setup/config-digest.ts';
import { strategyFiles } from '../../setup/strategy/modules.ts';
import type { SearchSetup } from '../workers/worker-setup.ts';
import type { Identity } from './study-store.ts';

/** Hexadecimal digits of each digest. */
const DIGITS = 32;

interface Search {
  readonly version: string;
  readonly setup: SearchSetup;
  readonly tape: string;
  readonly detail?: string | undefined;
  readonly space: readonly Dimension[];
  readonly objectives: readonly Objective[];
  readonly constraints: readonly Constraint[];
  readonly sampler: string;
  readonly seed: number;
  readonly isPruned: boolean;
}

export function identityOf({ version, setup, tape, detail, space, objectives, constraints, sampler, seed, isPruned }: Search): Identity {
  const { strategy, config, from, searchedTo, split, to, everyTick, speed, spread, signals } = setup;
  const time = (ms: number): string => new Date(ms).toISOString();
  return {
    version,
    strategy: strategyDigest(strategy.file),
    tape: tapeText(tape, detail),
    parameters: space.map(dimensionText).join(', '),
    fixed: JSON.stringify(strategy.params),
    symbols: strategy.symbols.join(',') || 'all',
    objectives: objectives.map(({ figure, direction }) => `${direction} ${figure}`).join(', '),
    constraints: constraints.map(constraintText).join(', ') || 'none',
    sampler,
    seed: String(seed),
    pruning: String(isPruned),
    searched: `${time(from)} to ${time(searchedTo)}`,
    holdout: `${time(split)} to ${time(to)}`,
    run: JSON.stringify({
      everyTick,
      speed,
      spread: spread ?? null,
      seed: setup.seed,
      ...(signals && { signals: digestOf(JSON.stringify(signals)) }),
    }),
    configuration: configDigest(config, DIGITS),
  };
}

/** Digest of the strategy's file and of the files that it imports. Call after it was loaded. */
function strategyDigest(file: string): string {
  const hash = createHash('sha256');
  const folder = dirname(file);
  for (const path of strategyFiles())
    hash
      .update(`${relative(folder, path)}\n`)
      .update(readFileSync(path))
      .update('\n');
  return short(hash.digest('hex'));
}

/** What a study says of its tapes. */
export function tapeText(tape: string, detail?: string): string {
  return detail === undefined ? tapeDigest(tape) : `${tapeDigest(tape)}, detail ${tapeDigest(detail)}`;
}

/** Digest of a tape's manifest, which has a checksum of each of its files. */
function tapeDigest(folder: string): string {
  return digestOf(readFileSync(join(folder, MANIFEST_FILE), 'utf8'));
}

function digestOf(text: string): string {
  return short(createHash('sha256').update(text).digest('hex'));
}

function short(hex: string): string {
  return hex.slice(0, DIGITS);
}
