/** The first line of a bot's log: what runs here, with which configuration, on which venue, within which limits. */
import { createHash } from 'node:crypto';
import { DEFAULTS } from '../../config/defaults.ts';
import type { BotConfig } from '../../config/model.ts';
import type { LogFields } from '../../ports/log.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { programVersion } from '../setup/version.ts';

export function startLine(config: BotConfig): LogFields {
  const { bot, venue, store, strategies, risk } = config;
  return {
    version: programVersion(),
    node: process.versions.node,
    pid: process.pid,
    bot,
    config: configHash(config),
    venue: venue.baseUrl,
    store: store.kind,
    state: stateFolder(config),
    strategies: strategies.map(({ file, symbols }) => (symbols.length === 0 ? file : `${file} on ${symbols.join(', ')}`)),
    // Those that a person stated; all others are as in docs/limits.md.
    limits: Object.fromEntries(Object.entries(risk).filter(([key, value]) => value !== DEFAULTS.risk[key as keyof typeof risk])),
  };
}

/** Twelve digits that are the same for the same configuration; keys of the account are no part of it. */
function configHash(config: BotConfig): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...config, credentials: null }))
    .digest('hex')
    .slice(0, 12);
}
