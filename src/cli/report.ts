/** `report`: shows a stored report again, as text or as a page, alone or beside another one. */
import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { EXITS, helpText, type HelpParts } from './help.ts';

interface ReportFlags {
  readonly html?: string;
  readonly compare?: string;
  readonly all?: true;
}

const PARTS: HelpParts = {
  examples: [
    ['tickwright report report.json', 'the report as text'],
    ['tickwright report report.json --html report.html', 'the same as a page with charts'],
    ['tickwright report report.json --all', 'the same with every metric'],
    ['tickwright report old.json --compare new.json', 'the metrics of two runs side by side'],
    ['tickwright report new.json --compare old.json --html both.html', 'two runs side by side, as a page'],
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
    .option('--compare <file>', 'the JSON of another report, to show beside this one')
    .option('--all', 'print every metric (docs/metrics.md)')
    .addHelpText('after', helpText(PARTS))
    .action(async (file: string, { html, compare, all }: ReportFlags) => {
      const { readReport, writeReportPage } = await import('../run/report/report-files.ts');
      const report = readReport(file);
      const other = compare === undefined ? undefined : readReport(compare);
      if (html !== undefined) return writeReportPage(html, report, other);
      if (other !== undefined) {
        const { formatComparison } = await import('../report/format-comparison.ts');
        context.io.stdout.write(formatComparison(report, other));
      } else {
        const { formatReport } = await import('../report/format-report.ts');
        context.io.stdout.write(formatReport(report, { isAll: all === true }));
      }
    });
}
