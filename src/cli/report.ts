/** `report`: shows a stored report again, as text or as a page, alone or beside another one. */
import type { Command } from 'commander';
import { Failure } from '../base/failure.ts';
import type { CliContext } from './context.ts';
import { EXITS, helpText, type HelpParts } from './help.ts';

interface ReportFlags {
  readonly html?: string;
  readonly compare?: string;
}

const PARTS: HelpParts = {
  examples: [
    ['tickwright report report.json', 'the report as text'],
    ['tickwright report report.json --html report.html', 'the same as a page with charts'],
    ['tickwright report new.json --compare old.json --html both.html', 'two runs side by side'],
  ],
  notes: ['FILE is what `backtest --out FILE` wrote. The page is one file that loads nothing; it can be sent and kept.'],
  files: [['--html FILE', 'the page']],
  exits: [['0', 'the report was shown'], EXITS.usage],
};

export function addReport(program: Command, context: CliContext): void {
  program
    .command('report')
    .summary('show a stored report, as text or as a page')
    .description(
      'Show the report of a backtest that was written as JSON: as text, or as a page for a browser, beside another one if wanted.',
    )
    .argument('<file>', 'the JSON of a report')
    .option('--html <file>', 'write a page for a browser, with charts')
    .option('--compare <file>', 'the JSON of another report, to show beside this one on the page')
    .addHelpText('after', helpText(PARTS))
    .action(async (file: string, { html, compare }: ReportFlags) => {
      if (compare !== undefined && html === undefined) {
        throw new Failure('command-line', { what: 'expected --html FILE together with --compare', where: '--compare' });
      }
      const { readReport, writeReportPage } = await import('../run/report/report-files.ts');
      const report = readReport(file);
      const other = compare === undefined ? undefined : readReport(compare);
      if (html !== undefined) return writeReportPage(html, report, other);
      const { formatReport } = await import('../report/format-report.ts');
      context.io.stdout.write(formatReport(report));
    });
}
