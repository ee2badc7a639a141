/** The first line of a bot's log: what runs here, with which configuration, on which venue, within which limits. */
import { DEFAULTS } from '../../config/defaults.ts';
import type { BotConfig } from '../../config/model.ts';
import type { LogFields } from '../../ports/log.ts';
import { configDigest } from '../setup/config-digest.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { programVersion } from '../setup/version.ts';

export function startLine(config: BotConfig): LogFields {
  const { bot, venue, store, strategies, risk } = config;
  return {
    version: programVersion(),
    node: process.versions.node,
    pid: process.pid,
    bot,
    config: configDigest(config, 12),
    venue: venue.baseUrl,
    store: store.kind,
    state: stateFolder(config),
    strategies: strategies.map(({ file, symbols }) => (symbols.length === 0 ? file : `${file} on ${symbols.join(', ')}`)),
    // Those that a person stated; all others are as in docs/reference/limits.md.
    limits: Object.fromEntries(Object.entries(risk).filter(([key, value]) => value !== DEFAULTS.risk[key as keyof typeof risk])),
  };
}
