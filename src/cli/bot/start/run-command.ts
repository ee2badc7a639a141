/** `run`: runs the bot on the venue that the configuration names. */
import { exitCode } from '../../../base/failure/exit-codes.ts';
import type { BotConfig } from '../../../config/model.ts';
import {
  folderToBe,
  statedConfigOf,
  strategiesOf,
  withParams,
  type ChoiceFlags,
  type CliContext,
  type ConfigFlags,
  withNamedSymbols,
} from '../../shell/cli-context.ts';
import { unlocked } from '../../keys/unlock.ts';
import { maySlowTrades, refusalsOf, warningsOf } from './start-checks.ts';

interface RunFlags extends ChoiceFlags, ConfigFlags {
  readonly live?: true;
  readonly check?: true;
  readonly record?: string;
}

export async function runOnVenue(flags: RunFlags, context: CliContext): Promise<void> {
  const { config: locked, isStated } = await statedConfigOf(flags, context);
  const loaded = await unlocked(locked, context.env);
  if (flags.check !== true) {
    for (const refusal of refusalsOf(loaded, flags, context.env)) throw refusal;
    for (const text of warningsOf(loaded, flags)) context.io.stderr.write(`warning: ${text}\n`);
  }
  const tape = flags.record === undefined ? loaded.record.tape : folderToBe(flags.record, '--record');
  const config: BotConfig = {
    ...loaded,
    strategies: strategiesOf(withNamedSymbols(flags, loaded), loaded),
    record: { ...loaded.record, tape },
  };
  const maySlow = maySlowTrades(config, isStated);
  if (flags.check === true) {
    const { examineStart, showFindings } = await import('./doctor-command.ts');
    const findings = await examineStart(config, flags, context, { maySlow });
    return context.exit(showFindings(findings, context.io) ? exitCode.done : exitCode.configuration);
  }
  const { runBot } = await import('../../../run/bot/supervise.ts');
  context.exit(await withParams(flags, () => runBot(config, context.io, maySlow)));
}
