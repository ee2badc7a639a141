/** A program that logs in to a monitor as a page does, and reads its stream. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Change } from '../../../src/control/changes.ts';
import { askMonitor } from '../../../src/run/monitor/ask-monitor.ts';

export interface Answered {
  readonly status: number;
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** One call with these headers and no others; a body is sent as JSON, unless it is text. */
export function callWeb(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object | string,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
    const sent = request(`${url}${path}`, { method, headers: { ...type, ...headers }, agent: false }, (response) => {
      let all = '';
      response.setEncoding('utf8').on('data', (part: string) => (all += part));
      response.on('error', reject);
      response.on('end', () => {
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(all) : all, headers: response.headers });
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** The one-time token in the file that `tickwright open` writes. */
export async function tokenOf(folder: string, role: 'operate' | 'view' = 'operate'): Promise<{ token: string; url: string; file: string }> {
  const opened = (await askMonitor(folder, 'open', { role })) as { url: string; file: string } | null;
  if (opened === null) throw new Error(`no monitor in ${folder}`);
  const token = /name="token" value="([^"]+)"/.exec(readFileSync(opened.file, 'utf8'))?.[1] ?? '';
  return { token, ...opened };
}

/** A session of a monitor. */
export class WebUser {
  readonly url: string;
  readonly session: string;

  constructor(url: string, session: string) {
    this.url = url;
    this.session = session;
  }

  static async login(url: string, token: string): Promise<WebUser> {
    const { status, body } = await callWeb(url, 'POST', '/api/login', {}, { token });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return new WebUser(url, (body as { session: string }).session);
  }

  static async open(folder: string, role: 'operate' | 'view' = 'operate'): Promise<WebUser> {
    const { url, token } = await tokenOf(folder, role);
    return WebUser.login(url, token);
  }

  call(method: string, path: string, body?: object): Promise<Answered> {
    return callWeb(this.url, method, path, { authorization: `Bearer ${this.session}` }, body);
  }

  /** Follows the stream; `changes` grows. `ended` resolves when the monitor ends it. */
  follow(after = ''): { readonly changes: Change[]; readonly ended: Promise<void>; readonly close: () => void } {
    const changes: Change[] = [];
    const sent = request(`${this.url}/api/stream?after=${after}`, { headers: { authorization: `Bearer ${this.session}` }, agent: false });
    const ended = new Promise<void>((resolve) => {
      sent.on('error', () => resolve());
      sent.on('response', (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const change = JSON.parse(line) as Change | { readonly kind: 'alive' };
            if (change.kind !== 'alive') changes.push(change);
          }
        });
        response.on('error', () => undefined);
        response.on('close', () => resolve());
      });
    });
    sent.end();
    return { changes, ended, close: () => void sent.destroy() };
  }
}

/** What a program of another user of this machine gets: runs `code` in Node as that user. Needs to be root. */
export function asAnotherUser(code: string): string {
  const { stdout, stderr } = spawnSync('node', ['-e', code], {
    uid: 65_534,
    gid: 65_534,
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}
