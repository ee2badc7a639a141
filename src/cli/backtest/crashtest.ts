/** `crashtest`: runs strategies against hostile markets and a faulty venue, and prints the smallest seed that breaks a rule. */
import { Option, type Command } from 'commander';
import { exitCode } from '../../base/exit-codes.ts';
import { shownJson } from '../../base/hidden.ts';
import type { CrashReport, EndRule } from '../../run/testing/crashtest.ts';
import { configOf, strategiesOf, withParams, type ChoiceFlags, type CliContext, type ConfigFlags } from '../shell/context.ts';
import { EXITS, helpText, optionFrom, type HelpParts } from '../shell/help.ts';
import { withProgress } from '../terminal/progress.ts';
import { safeText } from '../terminal/terminal.ts';
import { each, numberFrom, pair, wholeNumber } from '../shell/values.ts';

const PARTS: HelpParts = {
  examples: [
    ['tickwright crashtest --strategy strategies/ema-cross.ts', 'twenty seeds'],
    ['tickwright crashtest --strategy strategies/ema-cross.ts --seed 12', 'one seed again'],
    ['tickwright crashtest --strategy my.ts --max-size 0.05 --stop-loss --ends flat', 'with more rules'],
  ],
  notes: [
    'The markets have price jumps, spikes, halts, and crossed, locked and one-sided books. The venue refuses, loses, delays and repeats commands and answers. No handler may fail, no order may make no sense, and the same seed must give the same commands.',
    'A strategy that places no order passes: give it parameters with which it trades. docs/crashtest.md lists the rules.',
  ],
  exits: [EXITS.done, ['1', 'a rule is broken'], EXITS.usage, EXITS.configuration],
};

interface CrashFlags extends ChoiceFlags, ConfigFlags {
  readonly seeds: number;
  readonly from: number;
  readonly seed?: number;
  readonly maxSize?: number;
  readonly perMinute: number;
  readonly stopLoss?: true;
  readonly ends: EndRule;
  readonly json?: true;
}

export function addCrashtest(program: Command, context: CliContext): void {
  program
    .command('crashtest')
    .summary('run a strategy against hostile markets and faults')
    .description('Run strategies against hostile markets and a faulty venue on virtual time, and look for broken rules.')
    .optionsGroup('What:')
    .addOption(optionFrom('-s, --strategy <file>', 'a strategy file; repeatable', 'those of the configuration', each))
    .option('-p, --param <name=value>', 'a parameter of the strategy; repeatable', pair)
    .addOption(optionFrom('--symbol <symbol>', 'a symbol to trade; repeatable', 'the first of the configuration', each))
    .option('-c, --config <file>', 'a configuration file: its limits hold')
    .option('--set <key=value>', 'one key of it; repeatable', each)
    .optionsGroup('Seeds:')
    .option('--seeds <number>', 'how many', wholeNumber(1, 1_000_000), 20)
    .option('--from <seed>', 'the first one', wholeNumber(1, 1_000_000_000), 1)
    .option('--seed <seed>', 'this one alone', wholeNumber(1, 1_000_000_000))
    .optionsGroup('What must hold as well:')
    .option('--max-size <size>', 'a leg never holds more, in base coin', numberFrom(0))
    .option('--per-minute <number>', 'commands in a minute, at most', wholeNumber(1, 1_000_000), 1200)
    .option('--stop-loss', 'each filled opening order has a stop-loss')
    .addOption(new Option('--ends <how>', 'what may be left after a stop').choices(['any', 'without-opens', 'flat']).default('any'))
    .optionsGroup('Output:')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(PARTS))
    .action((flags: CrashFlags) => run(flags, context));
}

async function run(flags: CrashFlags, context: CliContext): Promise<void> {
  const config = await configOf(flags, context);
  const files = flags.strategy ?? [];
  const choices =
    files.length > 0 ? files.flatMap((file) => strategiesOf({ ...flags, strategy: [file] }, config)) : strategiesOf(flags, config);
  const [{ guardStrategies }, { crashtest, CRASH_RULES }, { loadStrategy }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    import('../../run/testing/crashtest.ts'),
    import('../../run/setup/load-strategy.ts'),
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
        withParams(flags, () => crashtest({ strategy, params, symbols, config, from, seeds, bounds, progress })),
      ),
    );
  }
  const { stdout } = context.io;
  if (flags.json) stdout.write(`${shownJson({ rules: CRASH_RULES, reports })}\n`);
  else for (const [k, report] of reports.entries()) stdout.write(safeText(textOf(report, choices[k]!.file, CRASH_RULES)));
  if (reports.some(({ broken }) => broken.length > 0)) context.exit(exitCode.failed);
}

function textOf(report: CrashReport, file: string, rules: Readonly<Record<string, string>>): string {
  const { broken, fills, orders, seeds, strategy } = report;
  const tried = `${strategy}: ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, ${orders} orders, ${fills} fills`;
  if (broken.length === 0) {
    return `${tried}: no rule is broken${orders === 0 ? '\n  It placed no order, so nothing was tested: give it parameters with which it trades.' : ''}\n`;
  }
  const lines = broken.map(
    ({ count, rule, seed, what }) => `  ${rule} (${rules[rule]}), ${count} of ${seeds} seeds\n    seed ${seed}: ${what}\n`,
  );
  return `${tried}: ${broken.length === 1 ? 'a rule is' : `${broken.length} rules are`} broken\n${lines.join('')}  again: tickwright crashtest --strategy ${file} --seed ${broken[0]!.seed}, with the same flags\n`;
}
