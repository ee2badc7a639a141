/** Reads the files that pages of results consist of: style, and for a report its scripts and the two libraries that draw its charts. */
import { readFileSync } from 'node:fs';
import { inlined } from '../../browser/inline.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { PageFiles } from '../../report/html/page-file.ts';
import { packageFile } from '../setup/package-file.ts';

const LOOK = new URL('../../browser/look.css', import.meta.url);
const STYLE = new URL('../../report/html/browser/report.css', import.meta.url);
const PLOTS = new URL('../../report/html/browser/plots.css', import.meta.url);
/** Before the scripts of the report, which use what they export. */
const SHARED = [new URL('../../browser/figures.js', import.meta.url), new URL('../../browser/chart-look.js', import.meta.url)];
const SCRIPTS = [
  new URL('../../report/html/browser/look.js', import.meta.url),
  new URL('../../report/html/browser/plotting.js', import.meta.url),
  new URL('../../report/html/browser/line-charts.js', import.meta.url),
  new URL('../../report/html/browser/trade-charts.js', import.meta.url),
  new URL('../../report/html/browser/packed.js', import.meta.url),
  new URL('../../report/html/browser/price-levels.js', import.meta.url),
  new URL('../../report/html/browser/price-trades.js', import.meta.url),
  new URL('../../report/html/browser/price-chart.js', import.meta.url),
  new URL('../../report/html/browser/trade-rows.js', import.meta.url),
  new URL('../../report/html/browser/sort.js', import.meta.url),
];

/** The style that Lightweight Charts adds for its logo, as its script has it. */
const LOGO_STYLE = /\.innerText="(a#tv-attr-logo\{[^"\\]*)"/;

/** @throws Failure when a file of a library is missing */
export function pageFiles(): PageFiles {
  const lightweight = ofPackage('lightweight-charts', 'dist/lightweight-charts.standalone.production.js');
  const uplot = ofPackage('uplot', 'dist/uPlot.iife.min.js');
  const logo = styleOfLogo(lightweight);
  return {
    style: `${ofPackage('uplot', 'dist/uPlot.min.css')}\n${own(LOOK)}${own(STYLE)}${own(PLOTS)}`,
    scripts: [lightweight, uplot, ...SHARED.map(inlined), ...SCRIPTS.map(own)],
    lateStyles: logo === undefined ? [] : [logo],
  };
}

/** The style that the library adds while the page runs; undefined if it adds none. */
export function styleOfLogo(library: string): string | undefined {
  return LOGO_STYLE.exec(library)?.[1];
}

/** Those of pages without a script. */
export function plainPageFiles(): PageFiles {
  return { style: `${own(LOOK)}${own(STYLE)}${own(PLOTS)}`, scripts: [], lateStyles: [] };
}

function own(file: URL): string {
  return readFileSync(file, 'utf8');
}

function ofPackage(name: string, path: string): string {
  try {
    return packageFile(name, path);
  } catch (error) {
    throw new Failure(
      'report-unwritable',
      { what: `expected ${path} of the package ${name}: ${(error as Error).message}`, where: '--html', hint: 'run npm ci' },
      { cause: error },
    );
  }
}
