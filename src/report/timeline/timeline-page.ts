/**
 * A session on a time axis, as one HTML file that a browser opens from the disk. It loads nothing: its content policy forbids every request,
 * and names its style and its script by their hashes.
 */
import { SCRIPT, STYLE } from './timeline-assets.ts';

/** Time, kind, symbol ("" for none), number of the order (0 for none), text. */
export type TimelineRow = readonly [time: number, kind: TimelineKind, symbol: string, order: number, text: string];
export type TimelineKind =
  | 'command'
  | 'accepted'
  | 'outcome'
  | 'fill'
  | 'ended'
  | 'halt'
  | 'lift'
  | 'operator'
  | 'trouble'
  | 'bot'
  | 'leg'
  | 'note'
  | 'difference';

/** Times are in milliseconds since the epoch, 0 for none. Prices and sizes are for drawing. */
export interface TimelineOrder {
  readonly seq: number;
  readonly symbol: string;
  readonly what: string;
  readonly strategy: string;
  readonly ticks: number;
  readonly price: number;
  readonly size: number;
  readonly from: number;
  readonly accepted: number;
  readonly to: number;
  readonly end: string;
  readonly fills: [time: number, price: number, size: number][];
}

export interface TimelineHalt {
  readonly key: string;
  /** "" when it is not about one symbol. */
  readonly symbol: string;
  readonly from: number;
  /** 0 when it did not end within the session. */
  readonly to: number;
  readonly text: string;
}

export interface TimelineData {
  readonly session: string;
  readonly from: number;
  readonly to: number;
  /** A sentence each. */
  readonly facts: readonly string[];
  readonly symbols: readonly { readonly name: string; readonly prices: readonly (readonly [time: number, price: number])[] }[];
  readonly orders: readonly TimelineOrder[];
  readonly halts: readonly TimelineHalt[];
  readonly rows: readonly TimelineRow[];
}

/** The page. `hashOf` gives the base64 of the SHA-256 of a text. */
export function timelinePage(data: TimelineData, hashOf: (text: string) => string): string {
  const policy = `default-src 'none'; style-src 'sha256-${hashOf(STYLE)}'; script-src 'sha256-${hashOf(SCRIPT)}'`;
  // No text of the session can end the element that holds it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tickwright session</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Session</h1><p id="session"></p><ul id="facts"></ul></header>
<form id="filter">
<label>Symbol <select id="symbol"></select></label>
<label>Order <input id="order" inputmode="numeric" size="6" placeholder="all"></label>
<label>Text <input id="text" size="12" placeholder="all"></label>
<label><input id="all" type="checkbox"> also acceptances, positions, notes</label>
<span class="zoom"><button type="button" id="in" aria-label="zoom in">+</button><button type="button" id="out" aria-label="zoom out">−</button><button type="button" id="left" aria-label="earlier">←</button><button type="button" id="right" aria-label="later">→</button><button type="button" id="whole">all</button></span>
</form>
<p id="range"></p>
<canvas id="chart" role="img" aria-label="price, orders, fills and halts over time"></canvas>
<p class="key"><i class="price"></i>price <i class="long"></i>buy order <i class="short"></i>sell order <i class="fill"></i>fill <i class="halted"></i>halt <i class="operator"></i>operator</p>
<p id="count"></p>
<table><thead><tr><th>time (UTC)</th><th>what</th><th>symbol</th><th>order</th><th>details</th></tr></thead><tbody id="rows"></tbody></table>
<button type="button" id="more">more</button>
<script type="application/json" id="data">${json}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
