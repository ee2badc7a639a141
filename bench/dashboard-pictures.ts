/**
 * Takes the pictures of the dashboard that the docs show, in a real browser, on a monitor that is played: `npm run -s pictures:dashboard -- docs/pictures`
 * writes `dashboard.webp` and `dashboard-phone.webp`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardFiles } from '../src/run/monitor/page-files.ts';
import { openTab, type View } from '../test/support/processes/browser.ts';
import { openPlayedMonitor } from '../test/support/monitor/dashboard-server.ts';

const PICTURES: Readonly<Record<string, View>> = {
  'dashboard.webp': { width: 1280, height: 1150, scheme: 'light' },
  'dashboard-phone.webp': { width: 390, height: 844, scheme: 'dark' },
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new RangeError('expected the folder of the pictures');

const monitor = await openPlayedMonitor(dashboardFiles());
const tab = await openTab();
try {
  for (const [name, view] of Object.entries(PICTURES)) {
    await tab.open(monitor.url, view);
    await tab.until(`document.querySelector('#chart canvas') !== null && document.querySelector('#story li') !== null`);
    // The chart paints in the next frames.
    await tab.ask('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const { width, height } = view;
    writeFileSync(join(folder, name), await tab.picture({ format: 'webp', clip: { x: 0, y: 0, width, height } }));
    process.stdout.write(`written: ${join(folder, name)}\n`);
  }
} finally {
  await tab.close();
  await monitor.close();
}
