/** The dashboard of a played monitor in a tab, for the tests of the page. */
import type { DashboardFiles } from '../../../src/run/monitor/page-files.ts';
import type { Tab, View } from '../processes/browser.ts';
import { openPlayedMonitor, type PlayedMonitor } from './dashboard-server.ts';

export const PHONE: View = { width: 390, height: 844, scheme: 'dark' };

/** An expression that is true while the page shows a text. */
export const shows = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`;

interface Wanted {
  /** Default: "live". */
  readonly page?: string;
  /** Default: a phone. */
  readonly view?: View;
  readonly options?: Parameters<typeof openPlayedMonitor>[1];
  /** An expression that is true once the page is there. */
  readonly until: string;
}

/** Opens a view of the dashboard and waits for it. The monitor is to be closed. */
export async function openDashboard(
  tab: Tab,
  files: DashboardFiles,
  { page = 'live', view = PHONE, options = {}, until }: Wanted,
): Promise<PlayedMonitor> {
  const monitor = await openPlayedMonitor(files, options);
  await tab.open(`${monitor.url}#${page}`, view);
  await tab.until(until);
  return monitor;
}
