/** Writes the site: a page for each page of the documentation, its Markdown beside it, the files it links to, the search, and llms.txt. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { groupsOf, read, repositoryFiles, ROOT, type Group, type Page } from './pages.ts';
import { escape, highlighted, rendered, siteOf, type Rendered } from './markdown.ts';

/** Languages of the files that pages link to, by extension. */
const CODE: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.js': 'javascript',
  '.cjs': 'javascript',
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.py': 'python',
};
const PICTURES = new Set(['.webp', '.svg', '.html', '.css']);

export interface Made {
  readonly pages: number;
  readonly files: number;
}

/** @throws Error for links to files or headings that do not exist, and for pages that no list names */
export function makeSite(folder: string): Made {
  const files = repositoryFiles();
  const groups = groupsOf(files);
  const pages = new Map<string, { readonly page: Page; readonly own: Rendered }>();
  for (const page of groups.flatMap((group) => group.pages)) pages.set(page.path, { page, own: rendered(page.path, page.text) });
  const linked = linkedFiles(pages, files);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const nav = (path: string): string => navigation(groups, path);
  for (const [path, { page, own }] of pages) {
    put(siteOf(path), pageHtml({ path, title: page.title, nav: nav(path), main: own.html, markdown: posix.basename(path) }));
    put(path, page.text);
  }
  for (const path of linked) {
    if (PICTURES.has(extname(path))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      copyFileSync(join(ROOT, path), join(folder, path));
      continue;
    }
    const inside = inFolder(path, files).map((file) => `<li><a href="${way(path, siteOf(file))}">${posix.basename(file)}</a></li>`);
    const shown =
      inside.length > 0
        ? `<ul>\n${inside.join('\n')}\n</ul>`
        : `<pre tabindex="0"><code>${highlighted(read(path), CODE[extname(path)] ?? 'plaintext')}</code></pre>`;
    put(siteOf(path), pageHtml({ path, title: path, nav: nav(path), main: `<h1>${path}</h1>\n${shown}`, markdown: null }));
  }
  put('site.css', read('scripts/site/site.css'));
  put('search.js', read('scripts/site/search.js'));
  put('search-index.js', searchIndex([...pages.values()]));
  put('llms.txt', llms(groups));
  return { pages: pages.size, files: linked.size };
}

/** Files of the repository that pages show or link to, and that are no pages. */
function linkedFiles(pages: ReadonlyMap<string, { readonly own: Rendered }>, files: ReadonlySet<string>): ReadonlySet<string> {
  const linked = new Set<string>();
  const dead: string[] = [];
  for (const [path, { own }] of pages) {
    for (const link of own.links) {
      const target = pages.get(link.path);
      if (target === undefined) {
        const inside = inFolder(link.path, files);
        for (const file of files.has(link.path) || inside.length > 0 ? [link.path, ...inside] : []) linked.add(file);
        if (!linked.has(link.path)) dead.push(`${path} links to ${link.path}, which does not exist`);
      } else if (link.anchor !== '' && !target.own.sections.some(({ anchor }) => anchor === link.anchor)) {
        dead.push(`${path} links to ${link.path}#${link.anchor}, which is no heading of it`);
      }
    }
  }
  if (dead.length > 0) throw new Error(`links that lead nowhere:\n${dead.join('\n')}`);
  return linked;
}

/** The files of a folder, which has a page that lists them. */
const inFolder = (path: string, files: ReadonlySet<string>): string[] => [...files].filter((file) => posix.dirname(file) === path);

/** The way from a page to another file of the site. */
const way = (from: string, to: string): string => posix.relative(posix.dirname(siteOf(from)), to);

function navigation(groups: readonly Group[], path: string): string {
  const item = (page: Page): string => {
    const current = page.path === path ? ' aria-current="page"' : '';
    return `<li><a href="${way(path, siteOf(page.path))}"${current}>${escape(page.title)}</a></li>`;
  };
  return groups.map(({ title, pages }) => `<h2>${escape(title)}</h2>\n<ul>\n${pages.map(item).join('\n')}\n</ul>`).join('\n');
}

interface PageParts {
  readonly path: string;
  readonly title: string;
  readonly nav: string;
  readonly main: string;
  /** The name of the Markdown beside the page; null if there is none. */
  readonly markdown: string | null;
}

function pageHtml({ path, title, nav, main, markdown }: PageParts): string {
  const top = way(path, '');
  const root = top === '' ? '' : `${top}/`;
  const source = markdown === null ? '' : `<p class="source"><a href="${markdown}">This page as Markdown</a></p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title === 'Tickwright' ? title : `${title} · Tickwright`)}</title>
<link rel="stylesheet" href="${root}site.css">
${markdown === null ? '' : `<link rel="alternate" type="text/markdown" href="${markdown}">`}
</head>
<body data-root="${root}">
<a class="skip" href="#main">Skip to the page</a>
<header>
<a class="home" href="${root}index.html">Tickwright</a>
<label><span class="hidden">Search the documentation</span><input id="search" type="search" placeholder="Search  ( / )" autocomplete="off" aria-controls="found"></label>
</header>
<div id="found" role="region" aria-live="polite" aria-label="Search results" hidden></div>
<div class="columns">
<nav aria-label="Pages"><details id="pages"><summary>All pages</summary>
${nav}
</details></nav>
<main id="main">
${main}
${source}
</main>
</div>
<script src="${root}search.js"></script>
</body>
</html>
`;
}

/** A script, not JSON: a page that was opened from the disk may not read other files. */
function searchIndex(pages: readonly { readonly page: Page; readonly own: Rendered }[]): string {
  const rows = pages.flatMap(({ page, own }) =>
    own.sections.map(({ anchor, title, text }) => [`${siteOf(page.path)}#${anchor}`, page.title, title, text.trim()]),
  );
  return `globalThis.SEARCH_INDEX = ${JSON.stringify(rows).replaceAll('</', String.raw`<\/`)};\n`;
}

/** The list for language models: https://llmstxt.org. */
function llms(groups: readonly Group[]): string {
  const about = /^# .+\n+([\s\S]+?)\n\n/m.exec(read('README.md'))?.[1]?.replaceAll('\n', ' ') ?? '';
  const lines = groups.map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.path})${page.about === '' ? '' : `: ${page.about.replaceAll(/ \(\[.*\)$/g, '')}`}`).join('\n')}\n`,
  );
  return `# Tickwright\n\n> ${about}\n\n${lines.join('\n')}`;
}
