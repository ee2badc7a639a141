/** The texts with which strategies start again, where they were reloaded while the bot ran before. */
import { Failure } from '../../base/failure/failure.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import type { BotConfig } from '../../config/model.ts';
import type { KernelSnapshot } from '../../engine/recovery/registry.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/definition/setup.ts';
import { type Reload, type ReloadsByStrategy, shortHash, TRIAL_MS } from '../../engine/strategy/definition/source.ts';
import type { Log } from '../../ports/log.ts';
import { loadKept } from '../setup/strategy/load-strategy.ts';
import { keptSourceOf } from '../setup/strategy/loaded-sources.ts';
import { withReload } from './changed-setups.ts';
import { type Preflight, tryKernel } from './preflight.ts';

/**
 * The snapshot without the reloads that do not count any more: the file on disk has the same text, or no kernel can be made of the text.
 * The others are loaded. @throws Failure if the text that failed on trial would run again
 */
export async function withKeptReloads(
  config: BotConfig,
  preflight: Preflight,
  snapshot: KernelSnapshot | null,
  { log, now }: { readonly log: Log; readonly now: number },
): Promise<KernelSnapshot | null> {
  if (snapshot?.reloads === undefined) return snapshot;
  const reloads: Record<string, Reload> = { ...snapshot.reloads };
  for (const setup of preflight.strategies) {
    const name = nameOf(setup);
    const reload = reloads[name];
    if (reload === undefined) continue;
    // A text that is too long to be kept is another than any that was reloaded.
    const disk = keptSourceOf(setup.file ?? '')?.sha256 ?? '';
    const isOver = reload.before === null || now >= reload.at + TRIAL_MS;
    const error = await failureWith(config, preflight, setup, reload);
    if (error !== null && reload.returned?.failed === disk) throw refusal(setup, reload, error);
    if (error !== null) log.error('reload-dropped', { strategy: name, error, hint: 'the file on disk runs' });
    if (error !== null || (isOver && reload.source.sha256 === disk)) delete reloads[name];
    else if (reload.source.sha256 !== disk) log.warn('reload-kept', facts(name, setup, reload));
  }
  return { ...snapshot, reloads };
}

/** Loads the texts of reloads. @throws Failure if one cannot be loaded */
export async function loadReloads(reloads: ReloadsByStrategy = {}): Promise<void> {
  for (const { source, before } of Object.values(reloads)) {
    await loadKept(source);
    if (before !== null) await loadKept(before);
  }
}

async function failureWith(config: BotConfig, preflight: Preflight, setup: StrategySetup, reload: Reload): Promise<unknown> {
  try {
    await loadReloads({ [nameOf(setup)]: reload });
    const strategies = preflight.strategies.map((one) => (one === setup ? withReload(one, reload) : one));
    tryKernel(config, { ...preflight, strategies });
    return null;
  } catch (error) {
    return error;
  }
}

function facts(strategy: string, { file }: StrategySetup, { at, source }: Reload): Record<string, unknown> {
  return {
    strategy,
    runs: shortHash(source),
    since: new Date(at).toISOString(),
    file,
    hint: `tickwright reload ${strategy} takes the file on disk`,
  };
}

function refusal(setup: StrategySetup, { returned, source }: Reload, error: unknown): Failure {
  const why = messageOf(error);
  return new Failure('strategy-load', {
    what: `the text on disk failed before (${returned?.why ?? ''}), and the text ${shortHash(source)} that came back for it cannot run now: ${why}`,
    where: setup.file,
    hint: 'correct the file, or the configuration',
  });
}
