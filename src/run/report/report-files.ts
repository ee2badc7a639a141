/** Reports on disk: written as JSON and as a page, and read again. A file is complete or is not there. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Failure } from '../../base/failure/failure.ts';
import { replaceFile } from '../../edge/file/replace-file.ts';
import type { Document } from '../../report/document/document.ts';
import { documentPage } from '../../report/document/document-page.ts';
import { researchDocument, type ResearchResult } from '../../report/document/research/research-document.ts';
import { reportPage } from '../../report/html/run/run-page.ts';
import type { RunReport } from '../../report/run-report.ts';
import { tradesCsv } from '../../report/trades/trades-csv.ts';
import { jsonPieces } from '../../report/write-json.ts';
import { isStudy, storedResult } from '../search/study/study-store.ts';
import { pageFiles, plainPageFiles } from './page-files.ts';

/** @throws Failure (report-unwritable) */
export function writeReportJson(file: string, report: RunReport): void {
  write(file, '--out', jsonPieces(report));
}

/** Writes the page; `other` is a run to compare with. @throws Failure (report-unwritable) */
export function writeReportPage(file: string, report: RunReport, other?: RunReport): void {
  write(file, '--html', [pageOf(report, other)]);
}

/** Writes the closed trades as CSV. @throws Failure (report-unwritable) */
export function writeTrades(file: string, { trades }: RunReport): void {
  write(file, '--trades', tradesCsv(trades));
}

export function pageOf(report: RunReport, other?: RunReport): string {
  return reportPage(report, { files: pageFiles(), other, hashOf });
}

/** @throws Failure (report-unwritable) */
export function writeResearchJson(file: string, result: ResearchResult): void {
  write(file, '--out', [JSON.stringify(result)]);
}

/** @throws Failure (report-unwritable) */
export function writeResearchPage(file: string, result: ResearchResult): void {
  writeDocumentPage(file, researchDocument(result));
}

/** Writes a page without scripts. @throws Failure (report-unwritable) */
export function writeDocumentPage(file: string, document: Document): void {
  write(file, '--html', [documentPage(document, plainPageFiles(), hashOf)]);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Parts of a report without which nothing can be shown. */
const NEEDED = [
  'tape',
  'config',
  'orders',
  'pnl',
  'equity',
  'stats',
  'series',
  'returns',
  'portfolio',
  'metrics',
  'trades',
  'notes',
  'noteTopics',
];

/** Parts of the results of research, by kind. */
const NEEDED_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  search: ['trials', 'space', 'objectives', 'front', 'defaults', 'importance', 'notes'],
  'walk-forward': ['folds', 'objectives', 'totalReturn'],
  'cross-validation': ['splits', 'paths', 'groups', 'objectives'],
  capacity: ['rows', 'sentence'],
  'monte-carlo': ['start', 'net', 'delays', 'missed', 'markets'],
};

/** Reads what `backtest`, `optimize`, `walk-forward`, `monte-carlo` or `capacity` wrote as JSON, or a study. @throws Failure (report-unreadable) */
export function readResult(file: string): RunReport | ResearchResult {
  let value: unknown;
  try {
    value = JSON.parse(isStudy(file) ? storedResult(file).json : readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreadable(file, `expected the JSON of a report: ${(error as Error).message}`, error);
  }
  const found: object = typeof value === 'object' && value !== null ? value : {};
  const kind = 'kind' in found ? String(found.kind) : '';
  const missing = (NEEDED_BY_KIND[kind] ?? NEEDED).filter((key) => !(key in found));
  if (missing.length > 0) throw unreadable(file, `expected a report, found JSON without ${missing.join(', ')}`);
  return found as RunReport | ResearchResult;
}

/** Reads the report of a run. @throws Failure (report-unreadable) */
export function readReport(file: string): RunReport {
  const found = readResult(file);
  if (isRun(found)) return found;
  throw unreadable(file, `expected the report of a run, found the result of a ${found.kind}`);
}

/** What to throw for an error in showing what these files hold: a part of them is not what it should be. */
export function unshowable(files: readonly string[], error: unknown): unknown {
  if (files.length === 0 || error instanceof Failure) return error;
  return unreadable(files.join(' or '), `expected a whole report, found a part that cannot be shown: ${(error as Error).message}`, error);
}

/** False for a result of research. */
export function isRun(result: RunReport | ResearchResult): result is RunReport {
  return !Object.hasOwn(NEEDED_BY_KIND, result.kind);
}

function unreadable(file: string, what: string, cause?: unknown): Failure {
  const hint = 'make one with "tickwright backtest … --out FILE"; one of an older version must be made again';
  return new Failure('report-unreadable', { what, where: file, hint }, { cause });
}

function write(file: string, where: string, pieces: Iterable<string>): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() ?? true)
      replaceFile(file, asLines(pieces), { draft: `${file}.${process.pid}.part`, mode: 0o666 });
    // Not a plain file: a terminal or /dev/null is written to, not replaced.
    else writeAll(file, asLines(pieces));
  } catch (error) {
    throw new Failure('report-unwritable', { what: `the report cannot be written: ${(error as Error).message}`, where }, { cause: error });
  }
}

function* asLines(pieces: Iterable<string>): Iterable<string> {
  yield* pieces;
  yield '\n';
}

function writeAll(file: string, pieces: Iterable<string>): void {
  const to = openSync(file, 'w');
  try {
    for (const piece of pieces) writeFileSync(to, piece);
  } finally {
    closeSync(to);
  }
}
