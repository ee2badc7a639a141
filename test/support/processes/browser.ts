/**
 * A headless Chromium by its debugging protocol: opens a page in a size and colour scheme, asks it questions, presses keys, checks its
 * accessibility with axe, takes its picture. The program is `chromium` on PATH, or the one that CHROMIUM names. Without it, the tests that
 * need it are skipped with a message; in CI that is an error.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = process.env['CHROMIUM'] ?? 'chromium';
/** As long as a page may take on a machine that is busy with other tests. */
const PATIENCE_MS = 180_000;
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];

export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

/** In pixels from the top left corner of the page. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PictureOptions {
  /** Default: png. */
  readonly format?: 'png' | 'webp';
  /** Default: the whole page. */
  readonly clip?: Clip;
}

export interface Tab {
  open(url: string, view: View): Promise<void>;
  /** The value of an expression, as JSON has it; of a promise, what it resolves with. @throws Error when the page throws */
  ask(expression: string): Promise<unknown>;
  /** Waits until an expression is true in the page. */
  until(expression: string): Promise<void>;
  /** Presses and releases a key by its name in the DOM: "Tab", "Enter", "ArrowDown", "PageDown", or one character, which is typed. */
  press(key: string, options?: { readonly shift?: boolean }): Promise<void>;
  /** Moves the mouse to a place of the window, in pixels from its top left corner. */
  point(x: number, y: number): Promise<void>;
  /** Presses and releases the left button of the mouse there. */
  click(x: number, y: number): Promise<void>;
  /** Processor time of the page's own thread since the last `open`, in milliseconds. */
  busyMs(): Promise<number>;
  /** What axe-core finds wrong with the page as it is shown: rule, why, and the elements. Empty if nothing. */
  violations(): Promise<string[]>;
  /** The whole page, or a part of it. */
  picture(options?: PictureOptions): Promise<Buffer>;
  /** What the browser complained of, and where it sent requests, since the last `open`. */
  readonly complaints: string[];
  readonly requested: Set<string>;
  close(): Promise<void>;
}

type Values = Readonly<Record<string, any>>;

/** True if there is a browser. In CI it must be installed, so this throws there. */
export function hasChromium(suite: string): boolean {
  if (spawnSync(PROGRAM, ['--version']).status === 0) return true;
  const message = `${suite} needs ${PROGRAM} on PATH (apt-get install chromium), or CHROMIUM=/path/of/chromium`;
  if (process.env['CI']) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return false;
}

/** Starts the browser. @throws Error when it cannot be started */
export async function openTab(): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-browser-'));
  const browser = spawn(PROGRAM, [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await new Promise<string>((resolve, reject) => {
    let text = '';
    browser.once('error', reject);
    browser.once('exit', (code) => reject(new Error(`${PROGRAM} ended with code ${code}: ${text}`)));
    browser.stderr.on('data', (more) => {
      const found = /ws:\/\/[^/]*:(\d+)\//.exec((text += String(more)));
      if (found !== null) resolve(found[1] ?? '');
    });
  });
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { type: string; webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(targets.find((target) => target.type === 'page')!.webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const { send, complaints, requested } = conversation(socket);
  for (const domain of ['Log', 'Runtime', 'Network', 'Page']) await send(`${domain}.enable`);
  await send('Performance.enable', { timeDomain: 'threadTicks' });
  let busyBefore = 0;
  const ask = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails === undefined) return result?.value as unknown;
    throw new Error(`${expression.slice(0, 200)}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
  };
  const busySoFar = async (): Promise<number> => {
    const { metrics } = await send('Performance.getMetrics');
    return (metrics as { name: string; value: number }[]).find(({ name }) => name === 'TaskDuration')!.value * 1000;
  };
  return {
    complaints,
    requested,
    ask,
    async open(url, { width, height, scheme }) {
      // What the page before asks last belongs to it.
      await send('Page.navigate', { url: 'about:blank' });
      complaints.length = 0;
      requested.clear();
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
      await send('Emulation.setTouchEmulationEnabled', { enabled: width < 600 });
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
      busyBefore = await busySoFar();
      await send('Page.navigate', { url });
    },
    async until(expression) {
      // A page on its way to another has no answer yet.
      const isTrue = async (): Promise<boolean> => (await ask(expression).catch(() => false)) === true;
      for (const end = performance.now() + PATIENCE_MS; !(await isTrue()); await sleep(25)) {
        if (performance.now() > end) throw new Error(`never true in the page: ${expression}`);
      }
    },
    async press(key, { shift = false } = {}) {
      const typed = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
      const event = { key, code: key, windowsVirtualKeyCode: CODES[key] ?? key.toUpperCase().charCodeAt(0), modifiers: shift ? 8 : 0 };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...typed });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    },
    async point(x, y) {
      await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    },
    async click(x, y) {
      const event = { x, y, button: 'left', clickCount: 1 };
      await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
      for (const type of ['mousePressed', 'mouseReleased']) await send('Input.dispatchMouseEvent', { type, ...event });
    },
    busyMs: async () => (await busySoFar()) - busyBefore,
    async violations() {
      await ask(`${readFileSync(AXE, 'utf8')}; undefined`);
      // Colours that are on their way to others are no colours.
      await ask('document.getAnimations().forEach((one) => one.cancel())');
      return (await ask(`axe.run().then(({ violations }) => violations.map(({ id, help, nodes }) =>
        id + ': ' + help + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join('; ')))`)) as string[];
    },
    async picture({ format = 'png', clip } = {}) {
      const part = clip === undefined ? {} : { clip: { ...clip, scale: 1 } };
      const quality = format === 'webp' ? { quality: 82 } : {};
      const { data } = await send('Page.captureScreenshot', { format, captureBeyondViewport: true, ...quality, ...part });
      return Buffer.from(data, 'base64');
    },
    async close() {
      socket.close();
      browser.kill();
      await once(browser, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Virtual key codes, by which the browser acts on keys that are no characters. */
const CODES: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  '.': 190,
};

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Values;
  readonly params?: Values;
}

/** Sends commands over the socket of a page, and notes its complaints and the origins that it sends requests to. */
function conversation(socket: WebSocket) {
  const waiting = new Map<number, (result: Values) => void>();
  const complaints: string[] = [];
  const requested = new Set<string>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, result, params = {} } = JSON.parse(String(data)) as Message;
    if (id !== undefined) waiting.get(id)?.(result ?? {});
    if (id !== undefined) waiting.delete(id);
    if (method === 'Log.entryAdded') complaints.push(params['entry'].text);
    if (method === 'Runtime.exceptionThrown') complaints.push(params['exceptionDetails'].exception?.description ?? 'an exception');
    if (method === 'Network.requestWillBeSent') requested.add(new URL(params['request'].url).origin);
  });
  let last = 0;
  const send = (method: string, params: object = {}): Promise<Values> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return { send, complaints, requested };
}
