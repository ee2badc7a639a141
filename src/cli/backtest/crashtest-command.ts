/** `crashtest`: runs strategies against hostile markets and a faulty venue, and prints the smallest seed that breaks a rule. */
import { shellWord } from '../../run/setup/shell-word.ts';
import { exitCode } from '../../base/failure/exit-codes.ts';
import type { CrashReport, EndRule } from '../../run/testing/crashtest.ts';
import { configOf, strategiesOf, withParams, type ChoiceFlags, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import { withProgress } from '../terminal/progress.ts';
import { safeText } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface CrashFlags extends ChoiceFlags, ConfigFlags {
  readonly seeds: number;
  readonly from: number;
  readonly seed?: number;
  readonly maxSize?: number;
  readonly perMinute: number;
  readonly stopLoss?: true;
  readonly ends: EndRule;
  readonly signal?: readonly string[];
  readonly json?: true;
}

export async function runCrashtest(flags: CrashFlags, context: CliContext): Promise<void> {
  const config = await configOf(flags, context);
  const files = flags.strategy ?? [];
  const choices =
    files.length > 0 ? files.flatMap((file) => strategiesOf({ ...flags, strategy: [file] }, config)) : strategiesOf(flags, config);
  const [{ guardStrategies }, { crashtest, CRASH_RULES }, { loadStrategy }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    import('../../run/testing/crashtest.ts'),
    import('../../run/setup/strategy/load-strategy.ts'),
  ]);
  guardStrategies(config, { isLive: false });
  const bounds = {
    perMinute: flags.perMinute,
    maxSize: flags.maxSize ?? null,
    needsStops: flags.stopLoss === true,
    ends: flags.ends,
  };
  const { from, seeds } = flags.seed === undefined ? flags : { from: flags.seed, seeds: 1 };
  const reports: CrashReport[] = [];
  for (const { file, params, symbols } of choices) {
    const strategy = await loadStrategy(file);
    const line = { what: strategy.name, noun: 'seeds', isJson: flags.json === true };
    reports.push(
      await withProgress(context.io, line, (progress) =>
        withParams(flags, () => crashtest({ strategy, params, symbols, config, from, seeds, bounds, signals: flags.signal, progress })),
      ),
    );
  }
  const { stdout } = context.io;
  if (flags.json) printJson(context.io, 'crashtest', { rules: CRASH_RULES, reports });
  else for (const [k, report] of reports.entries()) stdout.write(safeText(textOf(report, choices[k]!.file, CRASH_RULES)));
  if (reports.some(({ broken }) => broken.length > 0)) context.exit(exitCode.failed);
}

function textOf(report: CrashReport, file: string, rules: Readonly<Record<string, string>>): string {
  const { broken, fills, orders, seeds, strategy } = report;
  const tried = `${strategy}: ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, ${orders} orders, ${fills} fills`;
  if (broken.length === 0) {
    return `${tried}: no rule is broken${orders === 0 ? '\n  It placed no order, so nothing was tested: its markets last minutes. Make its timeframe and lengths parameters, and give short ones: --param bars=1s.' : ''}\n`;
  }
  const lines = broken.map(
    ({ count, rule, seed, what }) => `  ${rule} (${rules[rule]}), ${count} of ${seeds} seeds\n    seed ${seed}: ${what}\n`,
  );
  return `${tried}: ${broken.length === 1 ? 'a rule is' : `${broken.length} rules are`} broken\n${lines.join('')}  again: tickwright crashtest --strategy ${shellWord(file)} --seed ${broken[0]!.seed}, with the same flags\n`;
}
