/** Shows the result of a search or a monte-carlo run: as text or JSON on the terminal, as JSON in a file, as a page. */
import { shownJson } from '../../base/hidden.ts';
import type { ResearchResult } from '../../run/report/report-files.ts';
import type { Io } from '../../run/setup/options.ts';
import type { CliContext } from '../shell/context.ts';
import { safeText } from '../terminal/terminal.ts';

export interface ResultFlags {
  readonly out?: string | undefined;
  readonly html?: string | undefined;
  readonly json?: true | undefined;
}

/** Writes the files and prints the result. `study`: as for `researchText`. @throws Failure (report-unwritable) */
export async function showResult(
  result: ResearchResult,
  flags: ResultFlags,
  { io }: CliContext,
  study: string | null = null,
): Promise<void> {
  await writeResult(result, flags, io);
  io.stdout.write(flags.json === true ? `${shownJson(result)}\n` : await researchText(result, study));
}

/** Writes the files and names them. @throws Failure (report-unwritable) */
export async function writeResult(result: ResearchResult, { out, html }: ResultFlags, io: Io): Promise<void> {
  if (out === undefined && html === undefined) return;
  const { writeResearchJson, writeResearchPage } = await import('../../run/report/report-files.ts');
  if (out !== undefined) writeResearchJson(out, result);
  if (html !== undefined) writeResearchPage(html, result);
  tellWritten(io, out, html);
}

/** Names the files that were written, on stderr: stdout may be JSON. */
export function tellWritten({ stderr }: Pick<Io, 'stderr'>, ...files: readonly (string | undefined)[]): void {
  const written = files.filter((file) => file !== undefined);
  if (written.length > 0) stderr.write(`Written: ${safeText(written.join(', '))}\n`);
}

/** `study`: the file from which an interrupted search can be continued; null for none. */
async function researchText(result: ResearchResult, study: string | null): Promise<string> {
  if (result.kind === 'search') return (await import('./search-text.ts')).searchText(result, study);
  if (result.kind === 'walk-forward') return (await import('./walk-forward-text.ts')).walkForwardText(result);
  if (result.kind === 'cross-validation') return (await import('./cross-validation-text.ts')).crossValidationText(result);
  if (result.kind === 'capacity') return (await import('./capacity-text.ts')).capacityText(result);
  return (await import('./monte-carlo-text.ts')).monteCarloText(result);
}
