/** Results as a program gets them: the whole report, its tables as columns, and its files. */
import { once } from '../../base/once.ts';
import type { ResearchResult } from '../../report/document/research/research-document.ts';
import type { SearchResult } from '../../report/research/search-result.ts';
import type { WalkForwardResult } from '../../report/research/walk-forward-result.ts';
import type { RunReport } from '../../report/run-report.ts';
import { columnsOf, type AnyColumns, type ColumnsOf, type Specs, type Table } from '../../report/tables/columns.ts';
import { tablesOf } from '../../report/tables/research-tables.ts';
import type { RunTables } from '../../report/tables/run-tables.ts';
import { isRun, writeReportJson, writeReportPage, writeResearchJson, writeResearchPage } from '../../run/report/report-files.ts';
import { writeTables, type TableOptions } from '../../run/report/tables/table-files.ts';

export type { AnyColumns } from '../../report/tables/columns.ts';

/** The tables of a run by name, each as columns of one length. Made at the first access. Their units: docs/reference/tables.md. */
export type RunColumns = { readonly [Name in keyof RunTables]: ColumnsOf<RunTables[Name]> };

/** A result: what `--json` prints, as an object, with its tables as columns. */
export interface Result<Report, Tables> {
  /** The whole result, as `--out FILE` writes it. Amounts are decimal strings. */
  readonly report: Report;
  /** Its tables as columns: numbers as Float64Array (NaN for none), texts and flags as lists. Amounts are the doubles nearest to them. */
  readonly tables: Tables;
  /** Writes each table as a Parquet or Arrow file into the folder, and returns the paths. Throws Failure (report-unwritable). */
  readonly writeTables: (folder: string, options?: TableOptions) => readonly string[];
  /** Writes the JSON, which `readReport` and `tickwright report` read. Throws Failure (report-unwritable). */
  readonly writeJson: (file: string) => void;
  /** Writes the page for a browser. Throws Failure (report-unwritable). */
  readonly writePage: (file: string) => void;
}

/** The result of a backtest or of a live session. */
export type RunResult = Result<RunReport, RunColumns>;

/** The result of a search: tables `trials`, `chosen` and `importance`. A parameter is the column `param_NAME`. */
export type SearchOutcome = Result<SearchResult, Readonly<Record<'trials' | 'chosen' | 'importance', AnyColumns>>>;

/** The result of a walk-forward: the table `folds`. */
export type WalkForwardOutcome = Result<WalkForwardResult, Readonly<Record<'folds', AnyColumns>>>;

/** Any result that a file may hold; `report.kind` tells which. */
export type AnyResult = Result<RunReport | ResearchResult, Readonly<Record<string, AnyColumns>>>;

export function resultOf<Report extends RunReport | ResearchResult, Tables>(report: Report): Result<Report, Tables> {
  const made = once(() => tablesOf(report));
  return {
    report,
    tables: lazyColumns(Object.keys(tablesOf(report)), (name) => made()[name]!) as Tables,
    writeTables: (folder, options) => writeTables(folder, report, options),
    writeJson: (file) => (isRun(report) ? writeReportJson(file, report) : writeResearchJson(file, report)),
    writePage: (file) => (isRun(report) ? writeReportPage(file, report) : writeResearchPage(file, report)),
  };
}

function lazyColumns(names: readonly string[], tableOf: (name: string) => Table): object {
  const columns = {};
  for (const name of names) {
    const get = once(() => {
      const { rows, specs } = tableOf(name);
      return columnsOf(rows, specs as Specs<unknown>);
    });
    Object.defineProperty(columns, name, { get, enumerable: true });
  }
  return columns;
}
