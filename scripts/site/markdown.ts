/** Markdown to HTML, with the anchors that GitHub gives to headings, and links between the pages of the site. */
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import markdownIt from 'markdown-it';
import { anchorOf } from './anchor.ts';

/** The types of highlight.js name those of a browser, which would then hold in the whole program. */
interface Highlighter {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}
const hljs = createRequire(import.meta.url)('highlight.js/lib/common') as Highlighter;

/** A part of a page below one heading, as the search finds it. */
export interface Section {
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly sections: readonly Section[];
  /** Targets of its links and pictures in the repository, with their anchor, from the root. */
  readonly links: readonly { readonly path: string; readonly anchor: string }[];
}

/** Text that becomes no markup, in an attribute neither. */
export const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Code with its language's colours; a language that is not known here is plain text. */
export function highlighted(code: string, language: string): string {
  return hljs.getLanguage(language) === undefined ? escape(code) : hljs.highlight(code, { language }).value;
}

/** The path within the site of a file of the repository: pages and files of text become HTML pages. */
export function siteOf(path: string): string {
  if (path === 'README.md') return 'index.html';
  if (/\.(?:webp|svg|html|css)$/.test(path)) return path;
  return `${path.replace(/\.md$/, '')}.html`;
}

const isElsewhere = (href: string): boolean => /^[a-z][a-z+.-]*:/i.test(href);

/** @param path from the root of the repository: links start there */
export function rendered(path: string, text: string): Rendered {
  const md = markdownIt({ html: false, linkify: false, highlight: highlighted });
  const here = posix.dirname(siteOf(path));
  const links: { path: string; anchor: string }[] = [];
  const toSite = (href: string): string => {
    if (isElsewhere(href)) return href;
    const [file = '', anchor = ''] = href.split('#');
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    links.push({ path: target, anchor });
    const to = file === '' ? '' : posix.relative(here, siteOf(target)) || posix.basename(siteOf(target));
    return `${to}${anchor === '' ? '' : `#${anchor}`}`;
  };
  // Marks for the generators of pages are comments of HTML, which no reader sees.
  const tokens = md.parse(text.replaceAll(/^<!--[\s\S]*?-->$/gm, ''), {});
  const taken = new Map<string, number>();
  const sections: { anchor: string; title: string; text: string }[] = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const title = (tokens[index + 1]?.content ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
      const anchor = anchorOf(title, taken);
      token.attrSet('id', anchor);
      sections.push({ anchor, title, text: '' });
    } else if (token.type === 'inline' || token.type === 'fence') {
      const last = sections.at(-1);
      if (last !== undefined && tokens[index - 1]?.type !== 'heading_open') last.text += `${plainText(token.content)} `;
    }
    for (const child of token.children ?? []) {
      const name = child.type === 'link_open' ? 'href' : child.type === 'image' ? 'src' : null;
      if (name !== null) child.attrSet(name, toSite(String(child.attrGet(name))));
    }
  });
  // What is wider than the page is scrolled, with the keyboard too.
  const fence = md.renderer.rules['fence']!;
  md.renderer.rules['fence'] = (...given) => fence(...given).replace('<pre>', '<pre tabindex="0">');
  md.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';
  return { html: md.renderer.render(tokens, md.options, {}), sections, links };
}

const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]/g, '')
    .replaceAll(/\s+/g, ' ');
