/** Begins the recording of a bot's session, where the configuration wants one. */
import { join, resolve } from 'node:path';
import type { Credentials } from '../../base/secret.ts';
import type { BotConfig } from '../../config/model.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import type { Log } from '../../ports/log.ts';
import { keptSourceOf } from '../setup/strategy/loaded-sources.ts';
import { strategyFiles } from '../setup/strategy/modules.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { HEAD, type Head, recordedConfig } from './entries.ts';
import { environmentOf } from './recorded-environment.ts';
import { Recorder } from './session-recorder.ts';

export interface RecordedDeps {
  readonly config: BotConfig;
  readonly credentials: Credentials;
  readonly instruments: readonly Instrument[];
  readonly recovered: { readonly ids: ClientIds; readonly journalEnd: number; readonly isNew?: boolean };
  readonly hasOwnVenue?: boolean;
  /** What the kernel is restored from. */
  readonly snapshot: KernelSnapshot | null;
  readonly startedAt: number;
  readonly log: Log;
}

/** Where a bot's recordings are: beside its store. */
function sessionsFolder(config: Pick<BotConfig, 'store' | 'bot'>): string {
  return join(stateFolder(config), 'sessions');
}

export function openRecorder(deps: RecordedDeps): Recorder | null {
  const { config, log } = deps;
  if (!config.record.enabled) return null;
  return new Recorder({
    config: config.record,
    folder: sessionsFolder(config),
    head: headOf(deps),
    texts: config.strategies.map(({ file }) => keptSourceOf(file)),
    log,
    secrets: secretsOf(deps.credentials),
  });
}

/** As they are, and as JSON has them. */
function secretsOf(credentials: Credentials): string[] {
  const { key, secret, passphrase } = credentials;
  return [key, secret, passphrase].flatMap((one) => [one.reveal(), JSON.stringify(one.reveal()).slice(1, -1)]);
}

function headOf({ config, hasOwnVenue = false, instruments, recovered, snapshot, startedAt }: RecordedDeps): Head {
  const { ids, isNew = false, journalEnd } = recovered;
  return {
    kind: HEAD,
    version: 1,
    startedAt,
    ...environmentOf(strategyFiles()),
    config: recordedConfig(config),
    instruments,
    strategies: config.strategies.map((choice) => ({ ...choice, file: resolve(choice.file) })),
    identity: { bot: config.bot, epoch: ids.epoch },
    // A copy, because the table of ids changes later.
    ids: structuredClone(ids.saved()),
    journalEnd,
    isNewJournal: isNew && !hasOwnVenue,
    snapshot,
  };
}
