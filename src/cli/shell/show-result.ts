/** Shows the result of a search or a monte-carlo run: as text or JSON on the terminal, as JSON in a file, as a page. */
import { Failure } from '../../base/failure/failure.ts';
import { escapeHiddenInLines } from '../../base/hidden.ts';
import type { ResearchResult } from '../../report/document/research/research-document.ts';
import type { Document } from '../../report/document/document.ts';
import type { RunReport } from '../../report/run-report.ts';
import type { Io } from '../../run/setup/options.ts';
import type { NumberForm, TableFormat } from '../../run/report/tables/table-files.ts';
import type { Outputs } from '../outputs/outputs.ts';
import type { CliContext } from './cli-context.ts';
import { printJson } from './print-json.ts';
import { safeText, widthOf } from '../terminal/terminal.ts';

/** The tables of a result as files. */
export interface TableFlags {
  /** The folder; undefined for none. */
  readonly tables?: string | undefined;
  readonly tableFormat?: TableFormat | undefined;
  readonly tableNumbers?: NumberForm | undefined;
}

export interface ResultFlags extends TableFlags {
  readonly out?: string | undefined;
  readonly html?: string | undefined;
  readonly json?: true | undefined;
  readonly markdown?: true | undefined;
}

/** How a document is printed: `all` for a run with all that its page says. */
export interface ShownHow {
  readonly all?: true | undefined;
  readonly markdown?: true | undefined;
}

interface RunFiles extends ResultFlags {
  readonly trades?: string | undefined;
}

/** Commands that print the result of research. */
type OfResearch = 'optimize' | 'walk-forward' | 'cross-validate' | 'monte-carlo' | 'capacity' | 'report';

/** Writes the files and prints the result of the command. @throws Failure (report-unwritable) */
export async function showResult<C extends OfResearch>(
  command: C,
  result: Outputs[C] & ResearchResult,
  flags: ResultFlags,
  { io }: CliContext,
): Promise<void> {
  await writeResult(result, flags, io);
  if (flags.json === true) return printJson(io, command, result);
  const { researchDocument } = await import('../../report/document/research/research-document.ts');
  await showDocument(researchDocument(result), io, flags);
}

/** Prints a document: as wide as the terminal, or as Markdown. */
export async function showDocument(document: Document, { stdout }: Pick<Io, 'stdout'>, { markdown }: ShownHow = {}): Promise<void> {
  if (markdown === true) {
    const { documentMarkdown } = await import('../../report/document/document-markdown.ts');
    return void stdout.write(documentMarkdown(document));
  }
  const { documentText } = await import('../../report/document/document-text.ts');
  stdout.write(safeText(documentText(document, widthOf(stdout))));
}

/** Writes the files and names them. @throws Failure (report-unwritable) */
export async function writeResult(result: ResearchResult, { out, html, ...tables }: ResultFlags, io: Io): Promise<void> {
  await writeTables(result, tables, io);
  if (out === undefined && html === undefined) return;
  const { writeResearchJson, writeResearchPage } = await import('../../run/report/report-files.ts');
  if (out !== undefined) writeResearchJson(out, result);
  if (html !== undefined) writeResearchPage(html, result);
  tellWritten(io, out, html);
}

/** The same for the report of a run; its page may compare it with another one. `trades`: the file of its closed trades. */
export async function writeRun(report: RunReport, { out, html, trades, ...tables }: RunFiles, io: Io, other?: RunReport): Promise<void> {
  await writeTables(report, tables, io);
  if (out === undefined && html === undefined && trades === undefined) return;
  const { writeReportJson, writeReportPage, writeTrades } = await import('../../run/report/report-files.ts');
  if (out !== undefined) writeReportJson(out, report);
  if (html !== undefined) writeReportPage(html, report, other);
  if (trades !== undefined) writeTrades(trades, report);
  tellWritten(io, out, html, trades);
}

/** Writes the tables and names their folder. @throws Failure (report-unwritable, flag-value) */
async function writeTables(result: RunReport | ResearchResult, { tables, tableFormat, tableNumbers }: TableFlags, io: Io): Promise<void> {
  if (tables === undefined) {
    const [flag] = [tableFormat !== undefined && '--table-format', tableNumbers !== undefined && '--table-numbers'].filter(Boolean);
    if (flag === undefined) return;
    throw new Failure('flag-conflict', { what: `${flag} works only with --tables FOLDER`, where: String(flag) });
  }
  const { writeTables: write } = await import('../../run/report/tables/table-files.ts');
  const files = write(tables, result, { format: tableFormat, numbers: tableNumbers });
  tellWritten(io, ...files);
}

/** Prints the report of a run as JSON, in pieces: it may be longer than a string. */
export async function printRunJson(report: RunReport, { stdout }: Io): Promise<void> {
  const { jsonPieces } = await import('../../report/write-json.ts');
  for (const piece of jsonPieces(report)) stdout.write(escapeHiddenInLines(piece));
  stdout.write('\n');
}

/** Names the files that were written, on stderr: stdout may be JSON. */
export function tellWritten({ stderr }: Pick<Io, 'stderr'>, ...files: readonly (string | undefined)[]): void {
  const written = files.filter((file) => file !== undefined);
  if (written.length > 0) stderr.write(`Written: ${safeText(written.join(', '))}\n`);
}

/** Prints the report of a run. */
export async function showRun(report: RunReport, how: ShownHow, io: Io): Promise<void> {
  const { runDocument } = await import('../../report/document/run/run-document.ts');
  await showDocument(runDocument(report, { isAll: how.all === true }), io, how);
}

/** Prints the reports of two runs side by side. */
export async function showComparison([first, second]: readonly [RunReport, RunReport], how: ShownHow, io: Io): Promise<void> {
  const { comparisonDocument } = await import('../../report/document/run/comparison-document.ts');
  await showDocument(comparisonDocument(first, second), io, how);
}
