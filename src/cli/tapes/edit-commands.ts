/** `tape cut`, `tape join`, `tape resample`: a tape made of tapes. */
import { grouped } from '../../base/text/figures.ts';
import { Failure } from '../../base/failure/failure.ts';
import { folderToBe, requireTape, type CliContext } from '../shell/cli-context.ts';
import type { WrittenTape } from '../outputs/outputs.ts';
import { safeText } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface EditFlags {
  readonly out: string;
  readonly force?: true;
  readonly json?: true;
}

export async function runCut(
  flags: EditFlags & { readonly from?: number; readonly to?: number },
  context: CliContext,
  folder: string,
): Promise<void> {
  const source = requireTape(folder, 'tape cut');
  const { from, to } = flags;
  if (from === undefined && to === undefined) throw new Failure('flag-missing', { what: '--from or --to is missing' });
  const out = folderToBe(flags.out, '--out');
  const { cutTape } = await import('../../run/market/tapes.ts');
  print(context, flags, 'tape cut', { folder: out, ...cutTape(source, out, { from, to, overwrite: flags.force }) });
}

export async function runJoin(flags: EditFlags, context: CliContext, first: string, second: string): Promise<void> {
  const [one, two] = [requireTape(first, 'tape join'), requireTape(second, 'tape join')];
  const out = folderToBe(flags.out, '--out');
  const { joinTapes } = await import('../../run/market/tapes.ts');
  const { manifest, overlap } = joinTapes(one, two, out, { overwrite: flags.force });
  print(context, flags, 'tape join', { folder: out, rows: manifest.rows, from: manifest.from, to: manifest.to, overlap });
}

export async function runResample(flags: EditFlags & { readonly timeframe: number }, context: CliContext, folder: string): Promise<void> {
  const source = requireTape(folder, 'tape resample');
  const out = folderToBe(flags.out, '--out');
  const { resampleTape } = await import('../../run/market/tapes.ts');
  print(context, flags, 'tape resample', { folder: out, ...resampleTape(source, out, flags.timeframe, { overwrite: flags.force }) });
}

function print({ io }: CliContext, { json }: EditFlags, command: 'tape cut' | 'tape join' | 'tape resample', written: WrittenTape): void {
  const { folder, rows, from, to, overlap } = written;
  if (json === true) return printJson(io, command, { folder, rows, from, to, overlap });
  const dropped =
    overlap === undefined || overlap === 0 ? '' : `${grouped(String(overlap))} rows of the second tape are in the first one too\n`;
  io.stdout.write(`${dropped}${grouped(String(rows))} rows are in ${safeText(folder)}\n`);
}
