/** What a page, and a terminal that asks for all, says of a run below its result. */
import type { RunReport } from '../../run-report.ts';
import type { Section } from '../document.ts';
import { metricsSection } from './metric-sections.ts';
import { ordersSection } from './orders-section.ts';
import { costsSection, profitSection } from './profit-section.ts';
import { sidesSection } from './sides-section.ts';
import { settingsSection } from './settings-section.ts';
import { bestTradesSection, managedSection } from './trade-sections.ts';

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
