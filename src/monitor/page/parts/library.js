/**
 * What is fetched when it is first shown: the two libraries that draw charts, which are plain scripts, and parts of the page in `later`. The page has
 * their hashes, so the browser runs no others.
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const loading = new Map();
/** @type {HTMLMetaElement | null} */
const meta = document.querySelector('meta[name=hashes]');
const hashes = JSON.parse(meta?.content ?? '{}');

export function script(path, type = '') {
  if (hashes[path] === undefined) return Promise.reject(new Error(`${path} is no part of this page.`));
  if (!loading.has(path)) {
    loading.set(
      path,
      new Promise((resolve, reject) => {
        const element = document.createElement('script');
        Object.assign(element, { src: path, type, integrity: hashes[path] });
        element.addEventListener('load', resolve);
        element.addEventListener('error', () => {
          loading.delete(path);
          reject(new Error(`${path} could not be loaded. Is the monitor there?`));
        });
        document.head.append(element);
      }),
    );
  }
  return loading.get(path);
}

export const candleLibrary = async () => {
  await script('/app/lib/lightweight-charts.js');
  return globalThis.LightweightCharts;
};

/** A module of `later`, which imports only modules that the page has already. `load` imports it once the browser has compared its hash. */
export async function laterModule(name, load = () => import(`/app/monitor/page/later/${name}.js`)) {
  const path = `/app/monitor/page/later/${name}.js`;
  await script(path, 'module');
  return load();
}

/** A component of a module of `later`. */
export const later = (module, load) =>
  function Later(props) {
    const [found, set] = useState({ View: null, said: 'The page fetches this part.' });
    useEffect(() => {
      laterModule(module, load).then(
        (View) => set({ View, said: '' }),
        (error) => set({ View: null, said: error.message }),
      );
    }, []);
    return found.View === null ? h('p', { class: 'empty' }, found.said) : h(found.View, props);
  };
