/** The sections of a run below its result, for a page and for a terminal that asks for all. */
import type { RunReport } from '../../run-report.ts';
import type { Section } from '../document.ts';
import { metricsSection } from './metric-sections.ts';
import { ordersSection } from './orders-section.ts';
import { costsSection, profitSection } from './trades/profit-section.ts';
import { sidesSection } from './trades/sides-section.ts';
import { settingsSection } from './settings-section.ts';
import { bestTradesSection, managedSection } from './trades/trade-sections.ts';

/** `other`: another run to compare with. */
export function detailSections(report: RunReport, other?: RunReport): Section[] {
  return [
    ...sidesSection(report),
    ...profitSection(report),
    costsSection(report),
    ordersSection(report),
    ...bestTradesSection(report),
    ...managedSection(report),
    metricsSection(report, other),
    settingsSection(report, other),
  ];
}
