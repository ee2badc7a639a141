/** `tape record`: the market of a venue as a tape. */
import { Option, type Command } from 'commander';
import { grouped } from '../../base/figures.ts';
import { shownJson } from '../../base/hidden.ts';
import { configOf, folderToBe, requireFlag, type CliContext, type ConfigFlags } from '../shell/context.ts';
import { EXITS, helpText, optionFrom, type HelpParts } from '../shell/help.ts';
import { Progress } from '../terminal/progress.ts';
import { requireVenue } from '../bot/start-checks.ts';
import { findingsText, safeText } from '../terminal/terminal.ts';
import { duration, each } from '../shell/values.ts';

const PARTS: HelpParts = {
  examples: [
    ['tickwright tape record --config config/paper.yaml --out tapes/live', 'until Ctrl-C'],
    ['tickwright tape record --config live.yaml --out tapes/live --symbol BTCUSDT --for 1h'],
  ],
  notes: [
    'Polls best quotes (E7) and trades (E8): no keys are needed. A bot records what it polls with `run --record FOLDER`.',
    'Started again with the same folder, it continues, also after a kill. The folder is a tape at every moment.',
  ],
  files: [['--out FOLDER', 'the tape']],
  exits: [EXITS.done, EXITS.failed, EXITS.usage, EXITS.configuration],
};

interface RecordFlags extends ConfigFlags {
  readonly out?: string;
  readonly symbol?: readonly string[];
  readonly for?: number;
  readonly json?: true;
}

export function addRecord(tape: Command, context: CliContext): void {
  tape
    .command('record')
    .summary('record the market of a venue')
    .description('Record quotes and trades of a venue as a tape, until it is stopped.')
    .option('-c, --config <file>', 'the configuration file, which names the venue (needed)')
    .option('--set <key=value>', 'one key of the configuration; repeatable', each)
    .option('-o, --out <folder>', 'where the tape goes, or a recording to go on with (needed)')
    .addOption(optionFrom('--symbol <symbol>', 'a futures symbol; repeatable', 'all of the configuration', each))
    .addOption(new Option('--for <time>', 'how long, such as 90m, 12h or 7d').argParser(duration))
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(PARTS))
    .action((flags: RecordFlags) => record(flags, context));
}

async function record(flags: RecordFlags, context: CliContext): Promise<void> {
  const file = requireFlag(flags.config, '--config FILE');
  const folder = folderToBe(requireFlag(flags.out, '--out FOLDER'), '--out');
  const config = await configOf(flags, context);
  requireVenue(config, file);
  const { recordVenue } = await import('../../run/record/record-venue.ts');
  const line = context.io.isTty && flags.json !== true ? new Progress(context.io.stderr, 'record', 'rows') : null;
  const progress = line === null ? undefined : (rows: number, gaps: number): void => line.tell(rows, null, `${gaps} gaps`);
  const { symbol: symbols = [], for: forMs } = flags;
  try {
    const result = await recordVenue({ config, folder, symbols, forMs, progress }, context.io);
    line?.end();
    const text = `${grouped(String(result.rows))} rows were added to ${safeText(result.folder)}, gaps: ${result.gaps}\n${findingsText(result.findings)}`;
    context.io.stdout.write(flags.json ? `${shownJson(result)}\n` : text);
  } finally {
    line?.end();
  }
}
