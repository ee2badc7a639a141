/** A headless Chromium by its debugging protocol: opens a page in a size and colour scheme, asks it questions, takes its picture. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
}

export interface PictureOptions {
  /** Default: png. */
  readonly format?: 'png' | 'webp';
  /** In pixels from the top left corner of the page. Default: the whole page. */
  readonly clip?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export interface Tab {
  open(url: string, view: View): Promise<void>;
  /** The value of an expression, as JSON has it. */
  ask(expression: string): Promise<unknown>;
  /** The whole page, or a part of it. */
  picture(options?: PictureOptions): Promise<Buffer>;
  /** What the browser complained of, and where it sent requests, since the last `open`. */
  readonly complaints: string[];
  readonly requested: Set<string>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, any>>;
  readonly params?: Readonly<Record<string, any>>;
}

/** Starts `program` ("chromium"). @throws Error when it cannot be started */
export async function openTab(program: string): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-page-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-port=0'];
  const browser = spawn(program, [...flags, `--user-data-dir=${folder}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await new Promise<string>((resolve, reject) => {
    let text = '';
    browser.once('error', reject);
    browser.stderr.on('data', (more) => {
      const found = /ws:\/\/[^/]*:(\d+)\//.exec((text += String(more)));
      if (found !== null) resolve(found[1] ?? '');
    });
  });
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { type: string; webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(targets.find((target) => target.type === 'page')!.webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const waiting = new Map<number, (result: Readonly<Record<string, any>>) => void>();
  const complaints: string[] = [];
  const requested = new Set<string>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, result, params = {} } = JSON.parse(String(data)) as Message;
    if (id !== undefined) waiting.get(id)?.(result ?? {});
    if (method === 'Log.entryAdded') complaints.push(params['entry'].text);
    if (method === 'Runtime.exceptionThrown') complaints.push(params['exceptionDetails'].exception?.description ?? 'an exception');
    if (method === 'Network.requestWillBeSent') requested.add(new URL(params['request'].url).origin);
  });
  let last = 0;
  const send = (method: string, params: object = {}): Promise<Readonly<Record<string, any>>> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  for (const domain of ['Log', 'Runtime', 'Network', 'Page']) await send(`${domain}.enable`);
  return {
    complaints,
    requested,
    async open(url, { width, height, scheme }) {
      // What the page before asks last belongs to it.
      await send('Page.navigate', { url: 'about:blank' });
      complaints.length = 0;
      requested.clear();
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
      await send('Page.navigate', { url });
    },
    ask: async (expression) => (await send('Runtime.evaluate', { expression, returnByValue: true }))['result']?.value as unknown,
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
