/** The search of the documentation. Its index is loaded by the first use, as a script, so that it works from the disk too. */
(() => {
  const MOST = 20;
  const AROUND = 70;

  /**
   * Sections that hold each word, or a word that begins with it; words in titles count more.
   * @param {[href: string, page: string, title: string, text: string][]} index
   * @param {string} query
   */
  function search(index, query) {
    const words = query.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}._-]*/gu) ?? [];
    if (words.length === 0) return [];
    const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll(/[.\\-]/g, '\\$&')}`, 'iu'));
    const found = [];
    for (const [href, page, title, text] of index) {
      let score = 0;
      for (const pattern of patterns) {
        const own = (pattern.test(title) ? 20 : 0) + (pattern.test(page) ? 8 : 0) + (pattern.test(text) ? 2 : 0);
        if (own === 0) {
          score = 0;
          break;
        }
        score += own;
      }
      if (score === 0) continue;
      // A section of a short text is more about the words than a long one.
      const at = patterns.map((pattern) => text.search(pattern)).find((place) => place >= 0) ?? 0;
      const start = Math.max(0, at - AROUND);
      const excerpt = `${start > 0 ? '…' : ''}${text.slice(start, at + AROUND * 2)}${text.length > at + AROUND * 2 ? '…' : ''}`;
      found.push({ href, page, title, excerpt, score: score - Math.min(1.5, text.length / 4000) });
    }
    return found.sort((a, b) => b.score - a.score).slice(0, MOST);
  }

  globalThis.searchSections = search;
  if (typeof document === 'undefined') return;

  const { root = '' } = document.body.dataset;
  const input = /** @type {HTMLInputElement} */ (document.getElementById('search'));
  const list = document.getElementById('found');
  const wide = matchMedia('(min-width: 60rem)');
  const pages = /** @type {HTMLDetailsElement} */ (document.getElementById('pages'));
  const fold = () => (pages.open = wide.matches);
  wide.addEventListener('change', fold);
  fold();
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });

  let loading = false;
  const load = () => {
    if (loading) return;
    loading = true;
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    script.addEventListener('load', show);
    script.addEventListener('error', () => (list.textContent = 'The index of the search cannot be read.'));
    document.head.append(script);
  };

  const node = (tag, text, child = null) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (child !== null) made.append(child);
    return made;
  };

  function show() {
    const query = input.value.trim();
    list.hidden = query === '' || globalThis.SEARCH_INDEX === undefined;
    if (list.hidden) return;
    const found = search(globalThis.SEARCH_INDEX, query);
    const items = found.map(({ href, page, title, excerpt }) => {
      const link = document.createElement('a');
      link.href = root + href;
      link.append(node('b', title === page ? page : `${page}: ${title}`), node('span', excerpt));
      return node('li', '', link);
    });
    const all = document.createElement('ol');
    all.append(...items);
    list.replaceChildren(items.length === 0 ? node('p', `Nothing is found for “${query}”.`) : all);
  }

  input.addEventListener('focus', load);
  input.addEventListener('input', () => {
    load();
    show();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape' && !list.hidden) {
      input.value = '';
      show();
    }
  });
  list.addEventListener('click', () => (list.hidden = true));
})();
