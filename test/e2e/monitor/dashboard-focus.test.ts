/** The dashboard with the keyboard alone, on a screen and at a zoom of 200 %, which halves the pixels of the window: what has the focus is in sight. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardFiles } from '../../../src/run/monitor/page-files.ts';
import { openDashboard } from '../../support/monitor/opened-dashboard.ts';
import { hasChromium, openTab, type Tab } from '../../support/processes/browser.ts';

/** Tabs that reach the sentences of the story. */
const TABS = 34;

/** The element that has the focus, if it is not all in sight below the bar; else "". What is higher than the window cannot be. */
const HIDDEN = `(() => {
  const one = document.activeElement;
  const bar = document.querySelector('.bar');
  const { top, bottom } = one.getBoundingClientRect();
  const isSeen = top >= bar.offsetHeight - 1 && bottom <= innerHeight + 1;
  return isSeen || bar.contains(one) || bottom - top > innerHeight - bar.offsetHeight ? '' : top + ': ' + one.outerHTML.slice(0, 90);
})()`;

describe.skipIf(!hasChromium('the focus of the dashboard'))('the dashboard with a keyboard', () => {
  const files = dashboardFiles();
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
  });

  it.each([1920, 1280, 960, 640])('shows what has the focus at $0 pixels, and each figure of the bar', async (width) => {
    const view = { width, height: Math.round(width / 1.6), scheme: 'light' } as const;
    const monitor = await openDashboard(tab, files, { view, until: `document.querySelector('#chart canvas') !== null` });
    // None lies on another.
    expect(await tab.ask(`[...document.querySelectorAll('.figures div')].filter((one) => one.scrollWidth > one.clientWidth).length`)).toBe(
      0,
    );
    for (let k = 0; k < TABS; k++) {
      await tab.press('Tab');
      expect(await tab.ask(HIDDEN)).toBe('');
    }
    await monitor.close();
  });
});
