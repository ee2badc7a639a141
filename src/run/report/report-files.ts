/** Reports on disk: written as JSON and as a page, and read again. A file is complete or is not there. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { Failure } from '../../base/failure.ts';
import { reportPage } from '../../report/html/page.ts';
import type { RunReport } from '../../report/run-report.ts';
import { jsonPieces } from '../../report/write-json.ts';
import { pageFiles } from './page-files.ts';

/** @throws Failure (report-unwritable) */
export function writeReportJson(file: string, report: RunReport): void {
  write(file, '--out', jsonPieces(report));
}

/** Writes the page; `other` is a run to compare with. @throws Failure (report-unwritable) */
export function writeReportPage(file: string, report: RunReport, other?: RunReport): void {
  write(file, '--html', [pageOf(report, other)]);
}

export function pageOf(report: RunReport, other?: RunReport): string {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
  return reportPage(report, { files: pageFiles(), other, hashOf });
}

/** Parts of a report without which nothing can be shown. */
const NEEDED = ['tape', 'config', 'orders', 'pnl', 'equity', 'stats', 'series', 'returns', 'metrics', 'trades', 'notes'];

/** Reads a report that `backtest --out` or `--json` wrote. @throws Failure (report-unreadable) */
export function readReport(file: string): RunReport {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw unreadable(file, `expected the JSON of a report: ${(error as Error).message}`, error);
  }
  const found: object = typeof value === 'object' && value !== null ? value : {};
  const missing = NEEDED.filter((key) => !(key in found));
  if (missing.length > 0) throw unreadable(file, `expected a report, found JSON without ${missing.join(', ')}`);
  return found as RunReport;
}

function unreadable(file: string, what: string, cause?: unknown): Failure {
  const hint = 'make one with "tickwright backtest … --out FILE"; one of an older version must be made again';
  return new Failure('report-unreadable', { what, where: file, hint }, { cause });
}

function write(file: string, where: string, pieces: Iterable<string>): void {
  // What is there and is no plain file, such as a terminal or /dev/null, is written to and not replaced.
  const isPlain = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const beside = isPlain ? `${file}.${process.pid}.part` : file;
  try {
    const to = openSync(beside, 'w');
    try {
      for (const piece of pieces) writeSync(to, piece);
      writeSync(to, '\n');
    } finally {
      closeSync(to);
    }
    if (isPlain) renameSync(beside, file);
  } catch (error) {
    if (isPlain) rmSync(beside, { force: true });
    throw new Failure('report-unwritable', { what: `the report cannot be written: ${(error as Error).message}`, where }, { cause: error });
  }
}
