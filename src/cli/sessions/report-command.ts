/** `report`: shows a live session, or a stored result, as text or as a page; with `--compare` two runs side by side. */
import { Failure } from '../../base/failure/failure.ts';
import type { RunReport } from '../../report/run-report.ts';
import type { ResearchResult } from '../../report/document/research/research-document.ts';
import type { CliContext } from '../shell/cli-context.ts';
import type { ResultFlags, TableFlags } from '../shell/show-result.ts';

interface ReportFlags extends TableFlags {
  readonly session?: string;
  readonly html?: string;
  readonly out?: string;
  readonly trades?: string;
  readonly json?: true;
  readonly compare?: string;
  readonly markdown?: true;
  readonly all?: true;
}

export async function runReport({ session, compare, ...flags }: ReportFlags, context: CliContext, file: string | undefined): Promise<void> {
  const { isRun, readReport, unshowable } = await import('../../run/report/report-files.ts');
  const shown = await resultOf(file, session);
  if (!isRun(shown) && compare !== undefined) {
    throw new Failure('flag-value', {
      what: `--compare needs the report of a run, found the result of a ${shown.kind}`,
      where: 'report',
    });
  }
  if (!isRun(shown) && flags.trades !== undefined) {
    throw new Failure('flag-value', { what: `--trades needs the report of a run, found the result of a ${shown.kind}`, where: 'report' });
  }
  const other = compare === undefined ? undefined : readReport(compare);
  try {
    await (isRun(shown) ? showReport([shown, other], flags, context) : showStored(shown, flags, context));
  } catch (error) {
    throw unshowable(
      [file, compare].filter((one) => one !== undefined),
      error,
    );
  }
}

/** Shows the report of a run, or writes its files; beside another one if there are two. */
async function showReport(
  [shown, other]: readonly [RunReport, RunReport | undefined],
  { html, out, trades, json, tables, tableFormat, tableNumbers, ...how }: ReportFlags,
  { io }: CliContext,
): Promise<void> {
  const { printRunJson, showComparison, showRun, writeRun } = await import('../shell/show-result.ts');
  await writeRun(shown, { html, out, trades, tables, tableFormat, tableNumbers }, io, other);
  if (json) return printRunJson(shown, io);
  if (how.markdown !== true && [html, out, trades, tables].some((one) => one !== undefined)) return;
  await (other === undefined ? showRun(shown, how, io) : showComparison([shown, other], how, io));
}

/** Writes the files that are asked for; the result goes to the terminal only without any. */
async function showStored(result: ResearchResult, flags: ResultFlags, context: CliContext): Promise<void> {
  const { showResult, writeResult } = await import('../shell/show-result.ts');
  if (flags.json === true || flags.markdown === true || [flags.html, flags.out, flags.tables].every((one) => one === undefined))
    return showResult('report', result, flags, context);
  return writeResult(result, flags, context.io);
}

/** @throws Failure (usage) if neither or both are given */
async function resultOf(file: string | undefined, session: string | undefined): Promise<RunReport | ResearchResult> {
  if ((file === undefined) === (session === undefined)) {
    throw new Failure('command-line', {
      what: `expected either the JSON of a report or --session, found ${file === undefined ? 'neither' : 'both'}`,
      where: 'report',
      hint: 'such as "tickwright report report.json" or "tickwright report --session var/bot"',
    });
  }
  if (file !== undefined) {
    const { readResult } = await import('../../run/report/report-files.ts');
    return readResult(file);
  }
  const [{ readSessions }, { sessionReport }] = await Promise.all([
    import('../../run/live/facts/read-sessions.ts'),
    import('../../run/live/session-report.ts'),
  ]);
  return sessionReport(await readSessions(session!));
}
