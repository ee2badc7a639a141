/**
 * One HTML file that a browser opens from the disk. It loads nothing: its content policy forbids every request and names style and scripts by
 * their hashes.
 */
import { html, Markup, scriptJson } from './markup.ts';

/** Texts of the files that are put into a page. */
export interface PageFiles {
  readonly style: string;
  /** Libraries first. */
  readonly scripts: readonly string[];
  /** Styles that a library adds while the page runs; the content policy must name them. */
  readonly lateStyles: readonly string[];
}

/** The base64 of the SHA-256 of a text. */
export type HashOf = (text: string) => string;

export interface PageFileParts {
  readonly title: string;
  readonly body: Markup;
  /** For the scripts; undefined for none. */
  readonly data?: unknown;
  readonly files: PageFiles;
  readonly hashOf: HashOf;
}

export function pageFileOf({ title, body, data, files, hashOf }: PageFileParts): string {
  const named = (texts: readonly string[]): string =>
    texts.length === 0 ? "'none'" : texts.map((text) => `'sha256-${hashOf(text)}'`).join(' ');
  const policy = `default-src 'none'; style-src ${named([files.style, ...files.lateStyles])}; script-src ${named(files.scripts)}; base-uri 'none'; form-action 'none'`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    html`<title>${title}</title>`.text,
    `<style>${files.style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    body.text.trim(),
    '</main>',
    ...(data === undefined ? [] : [`<script type="application/json" id="data">${scriptJson(data)}</script>`]),
    ...files.scripts.map((script) => `<script>${script}</script>`),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** The id of a part of the page, and its title in the list of parts. */
export type Link = readonly [id: string, title: string];

/** `null` for a part that this page does not have. */
export function navigationOf(links: readonly (Link | null)[]): Markup {
  const shown = links.filter((link) => link !== null);
  return html`<nav>${shown.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>`;
}

const MARK = new Markup(
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M6 20l6-7 5 4 9-9"/></svg>',
);

export function headingOf(title: string, small: string): Markup {
  return html`<header>
    ${MARK}
    <div>
      <h1>${title}</h1>
      <p class="soft">${small}</p>
    </div>
  </header>`;
}

/** Notes under a heading that opens and closes; nothing without notes. */
export interface NoteGroup {
  readonly title: string;
  readonly notes: readonly Markup[];
}

/** "Read this before you believe it": the warnings, by what they are about. */
export function notesMarkup(groups: readonly NoteGroup[], small: string): Markup {
  const shown = groups.filter(({ notes }) => notes.length > 0);
  if (shown.length === 0) return html``;
  const count = shown.reduce((sum, { notes }) => sum + notes.length, 0);
  const parts = shown.map(
    ({ title, notes }) =>
      html`<div class="group">
        ${title === '' ? null : html`<h3>${title}</h3>`}
        <ul>
          ${notes}
        </ul>
      </div> `,
  );
  return html`<section id="notes" class="card">
    <details open>
      <summary>
        <h2>Read this before you believe it</h2>
        <small>${count} ${count === 1 ? 'note' : 'notes'}${small === '' ? '' : ` ${small}`}</small>
      </summary>
      <div class="groups">${parts}</div>
    </details>
  </section>`;
}
