/** `tape cut`, `tape join`, `tape resample`: a tape made of tapes. */
import { Option, type Command } from 'commander';
import { grouped } from '../../base/figures.ts';
import { Failure } from '../../base/failure.ts';
import { shownJson } from '../../base/hidden.ts';
import { folderToBe, requireFlag, requireTape, type CliContext } from '../shell/context.ts';
import { EXITS, helpText, type HelpParts } from '../shell/help.ts';
import { safeText } from '../terminal/terminal.ts';
import { duration, moment } from '../shell/values.ts';

const EXIT_CODES: HelpParts['exits'] = [EXITS.done, EXITS.usage, ['78', 'a tape is damaged, or the tapes do not fit']];
const FILES: HelpParts['files'] = [['--out FOLDER', 'the new tape; the old ones stay as they are']];

const CUT: HelpParts = {
  examples: [
    ['tickwright tape cut tapes/btc --from 2024-08-08T12:00 --to 2024-08-08T13:00 --out tapes/noon', 'an hour'],
    ['tickwright tape cut tapes/btc --to 2024-09-01 --out tapes/august', 'all that is before September'],
  ],
  notes: ['A bar is kept if it has ended by --to.'],
  files: FILES,
  exits: EXIT_CODES,
};

const JOIN: HelpParts = {
  examples: [['tickwright tape join tapes/monday tapes/tuesday --out tapes/both', 'the later tape after the earlier one']],
  notes: [
    'Both have the same symbols and kinds of rows. Where they overlap the first one counts; trades of its last millisecond are told apart by their ids.',
  ],
  files: FILES,
  exits: EXIT_CODES,
};

const RESAMPLE: HelpParts = {
  examples: [
    ['tickwright tape resample tapes/btc --timeframe 5m --out tapes/btc-5m', 'bars of five minutes, of trades or shorter bars'],
    ['tickwright tape resample tapes/btc --timeframe 1d --out tapes/btc-1d', 'from midnight to midnight UTC'],
  ],
  notes: [
    'Bars begin at whole multiples of the timeframe, UTC. The first and the last bar hold what the tape has of them. A time without rows has no bar.',
    'Mark prices and funding rates are copied; quotes are left out.',
  ],
  files: FILES,
  exits: EXIT_CODES,
};

interface EditFlags {
  readonly out?: string;
  readonly force?: true;
  readonly json?: true;
}

interface Written {
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  readonly overlap?: number;
}

export function addEdits(tape: Command, context: CliContext): void {
  addCut(tape, context);
  addJoin(tape, context);
  addResample(tape, context);
}

function addCut(tape: Command, context: CliContext): void {
  const command = tape
    .command('cut')
    .summary('write a part of a tape as a new tape')
    .description('Write the rows between two moments of a tape as another tape.')
    .argument('<folder>', 'the tape')
    .addOption(new Option('--from <time>', 'first moment: milliseconds since 1970, or a UTC time').argParser(moment))
    .addOption(new Option('--to <time>', 'moment to stop before').argParser(moment));
  withCommon(command, CUT).action(async (folder: string, flags: EditFlags & { readonly from?: number; readonly to?: number }) => {
    const source = requireTape(folder, 'tape cut');
    const { from, to } = flags;
    if (from === undefined && to === undefined) throw new Failure('flag-missing', { what: '--from or --to is missing' });
    const out = outOf(flags);
    const { cutTape } = await import('../../run/market/tapes.ts');
    print(context, flags, out, cutTape(source, out, { from, to, overwrite: flags.force }));
  });
}

function addJoin(tape: Command, context: CliContext): void {
  const command = tape
    .command('join')
    .summary('write two tapes, one after the other, as one')
    .description('Write the rows of a tape, then those of a later one, as another tape.')
    .argument('<first>', 'the earlier tape')
    .argument('<second>', 'the later tape');
  withCommon(command, JOIN).action(async (first: string, second: string, flags: EditFlags) => {
    const [one, two] = [requireTape(first, 'tape join'), requireTape(second, 'tape join')];
    const out = outOf(flags);
    const { joinTapes } = await import('../../run/market/tapes.ts');
    const { manifest, overlap } = joinTapes(one, two, out, { overwrite: flags.force });
    print(context, flags, out, { rows: manifest.rows, from: manifest.from, to: manifest.to, overlap });
  });
}

function addResample(tape: Command, context: CliContext): void {
  const command = tape
    .command('resample')
    .summary('make longer bars of trades or bars')
    .description('Write bars made of the trades of a tape, or of its shorter bars, as another tape.')
    .argument('<folder>', 'the tape')
    .addOption(new Option('--timeframe <time>', 'length of the bars, such as 5m or 4h (needed)').argParser(duration));
  withCommon(command, RESAMPLE).action(async (folder: string, flags: EditFlags & { readonly timeframe?: number }) => {
    const source = requireTape(folder, 'tape resample');
    if (flags.timeframe === undefined) throw new Failure('flag-missing', { what: '--timeframe TIME is missing' });
    const out = outOf(flags);
    const { resampleTape } = await import('../../run/market/tapes.ts');
    print(context, flags, out, resampleTape(source, out, flags.timeframe, { overwrite: flags.force }));
  });
}

function withCommon(command: Command, parts: HelpParts): Command {
  return command
    .option('-o, --out <folder>', 'where the new tape goes; must not hold one yet (needed)')
    .option('--force', 'replace a tape that is there')
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(parts));
}

function outOf(flags: EditFlags): string {
  return folderToBe(requireFlag(flags.out, '--out FOLDER'), '--out');
}

function print({ io }: CliContext, { json }: EditFlags, folder: string, { rows, from, to, overlap }: Written): void {
  if (json === true) {
    io.stdout.write(`${shownJson({ folder, rows, from, to, overlap })}\n`);
    return;
  }
  const dropped =
    overlap === undefined || overlap === 0 ? '' : `${grouped(String(overlap))} rows of the second tape are in the first one too\n`;
  io.stdout.write(`${dropped}${grouped(String(rows))} rows are in ${safeText(folder)}\n`);
}
