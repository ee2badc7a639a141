/** The page that a person sees who opens the exchange's address in a browser. Plain text in one table; nothing in it is live. */

export interface PageFacts {
  readonly symbols: readonly string[];
  readonly accounts: number;
  /** Milliseconds since the exchange came up. */
  readonly uptimeMs: number;
}

/** HTML of the page. */
export function pageOf({ symbols, accounts, uptimeMs }: PageFacts): string {
  const rows = [
    ['Symbols', symbols.map(escapeHtml).join(', ')],
    ['Accounts', String(accounts)],
    ['Up for', spanOf(uptimeMs)],
    ['Documents', '<a href="/openapi.json">openapi.json</a>'],
  ];
  const table = rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('');
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:3rem auto;padding:0 1rem}' +
    'th{text-align:left;vertical-align:top;padding:.2rem 2rem .2rem 0}td{padding:.2rem 0}';
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tickwright paper exchange</title>' +
    `<style>${style}</style></head><body><h1>Tickwright paper exchange</h1>` +
    `<p>A simulated venue. Nothing here is real money.</p><table>${table}</table></body></html>`
  );
}

function spanOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);
}
