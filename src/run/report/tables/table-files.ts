/** The tables of a result as files that pandas, polars, DuckDB and R read. A file is whole or not there. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import { replaceFile } from '../../../edge/file/replace-file.ts';
import type { ResearchResult } from '../../../report/document/research/research-document.ts';
import type { RunReport } from '../../../report/run-report.ts';
import { tablesOf } from '../../../report/tables/research-tables.ts';
import { arrowTable } from './arrow-table.ts';
import type { NumberForm } from './decimals.ts';
import { parquetTable } from './parquet-table.ts';

const WRITERS = { parquet: parquetTable, arrow: arrowTable } as const;

/** Form of the files of tables. */
export type TableFormat = keyof typeof WRITERS;
export type { NumberForm } from './decimals.ts';

/** How tables are written. */
export interface TableOptions {
  /** Default: "parquet". */
  readonly format?: TableFormat | undefined;
  /** How amounts, prices and sizes are written: as doubles (the default), or as decimals, digit by digit. */
  readonly numbers?: NumberForm | undefined;
}

/** Writes one file for each table into the folder. Returns their paths. @throws Failure (report-unwritable) */
export function writeTables(
  folder: string,
  result: RunReport | ResearchResult,
  { format = 'parquet', numbers = 'double' }: TableOptions = {},
): string[] {
  const write = WRITERS[format];
  try {
    mkdirSync(folder, { recursive: true });
    return Object.entries(tablesOf(result)).map(([name, table]) => {
      const file = join(folder, `${name}.${format}`);
      replaceFile(file, write(table, numbers), { draft: `${file}.${process.pid}.part`, mode: 0o666 });
      return file;
    });
  } catch (error) {
    throw new Failure(
      'report-unwritable',
      { what: `the tables cannot be written: ${(error as Error).message}`, where: '--tables' },
      { cause: error },
    );
  }
}
