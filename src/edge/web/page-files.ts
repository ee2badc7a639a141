/** Files of the dashboard page, read once. */
import { readFileSync } from 'node:fs';
import type { WebReply } from './web-server.ts';

const FOLDER = new URL('../../monitor/page/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
const read = new Map<string, WebReply | null>();

/** The file of this name; null if there is none. */
export function pageFile(name: string): WebReply | null {
  const type = TYPES[/^[a-z0-9-]{1,60}\.([a-z]{2,4})$/.exec(name)?.[1] ?? ''];
  if (type === undefined) return null;
  let reply = read.get(name);
  if (reply === undefined) read.set(name, (reply = load(name, type)));
  return reply;
}

function load(name: string, type: string): WebReply | null {
  try {
    return { status: 200, type, body: readFileSync(new URL(name, FOLDER)) };
  } catch {
    return null;
  }
}
