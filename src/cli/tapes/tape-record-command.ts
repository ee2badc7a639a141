/** `tape record`: the market of a venue as a tape. */
import { grouped } from '../../base/text/figures.ts';
import { configOf, folderToBe, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import { Progress } from '../terminal/progress.ts';
import { requireVenue } from '../bot/start/start-checks.ts';
import { findingsText, safeText } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface RecordFlags extends ConfigFlags {
  readonly out: string;
  readonly symbol?: readonly string[];
  readonly for?: number;
  readonly json?: true;
}

export async function runRecord(flags: RecordFlags, context: CliContext): Promise<void> {
  const folder = folderToBe(flags.out, '--out');
  const config = await configOf(flags, context);
  requireVenue(config, flags.config);
  const { recordVenue } = await import('../../run/record/record-venue.ts');
  const line = flags.json === true ? null : new Progress(context.io, 'record', 'rows');
  const progress = line === null ? undefined : (rows: number, gaps: number): void => line.tell(rows, null, `${gaps} gaps`);
  const { symbol: symbols = [], for: forMs } = flags;
  try {
    const result = await recordVenue({ config, folder, symbols, forMs, progress }, context.io);
    line?.end();
    const text = `${grouped(String(result.rows))} rows were added to ${safeText(result.folder)}, gaps: ${result.gaps}\n${findingsText(result.findings)}`;
    if (flags.json) printJson(context.io, 'tape record', result);
    else context.io.stdout.write(text);
  } finally {
    line?.end();
  }
}
