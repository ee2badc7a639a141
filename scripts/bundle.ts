/**
 * The compiled program: src as modules of many files each, split so that a command loads what it uses. Imports of packages stay imports, so
 * that npm installs and audits them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';

/** Modules of which further runs of a process load copies, by another query of their address: each stays a file of its own. */
const COPIED = ['engine/strategy/rows.ts'];

/** `new URL('./file.ts', import.meta.url)`: a thread, a process or a copy starts with that module. */
const ADDRESS = /new URL\(['`]([^'`?]+\.ts)(\?[^'`]*)?['`], import\.meta\.url\)/g;

/** Doors of the package and the program, by their file in `dist`. */
const ENTRIES = ['index', 'testing', 'research', 'control', 'exchange', 'main'];

/** Compiles the folder `source` into the folder `target`. @throws Error if a module is not where its address says */
export async function bundle(source: string, target: string): Promise<void> {
  const isOwn = (id: string): boolean => id.startsWith(source);
  const build = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, `${source}${name}.ts`])),
    platform: 'node',
    external: /^[a-z@]/,
    plugins: [addresses(source)],
    preserveEntrySignatures: 'allow-extension',
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    sourcemap: true,
    // A frame of a stack trace is at its place in this folder: dist/engine/kernel.ts for src/engine/kernel.ts.
    sourcemapPathTransform: (path) => path.replace(/^(?:\.\.\/)*src\//, (up) => '../'.repeat(up.split('../').length - 2)),
    minifyInternalExports: false,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => (COPIED.includes(`${name}.ts`) ? '[name].js' : 'chunks/[name]-[hash].js'),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: COPIED.map((name) => ({ name: name.replace(/\.ts$/, ''), test: (id) => id === `${source}${name}` })),
    },
    banner: ({ fileName, moduleIds }) =>
      moduleIds.some((id) => isOwn(id) && readFileSync(id, 'utf8').includes('import.meta.url'))
        ? `const distFolder = new URL('${'../'.repeat(fileName.split('/').length - 1) || './'}', import.meta.url);`
        : '',
  });
  await build.close();
  for (const name of ENTRIES.filter((one) => one !== 'main')) {
    const meant = Object.keys((await import(`${source}${name}.ts`)) as object).sort();
    const found = output.find((one): one is OutputChunk => one.fileName === `${name}.js`)?.exports.toSorted() ?? [];
    if (found.join() !== meant.join()) throw new Error(`expected of ${name}.js the exports ${meant.join()}, found ${found.join()}`);
  }
  for (const name of COPIED) {
    const file = name.replace(/\.ts$/, '.js');
    const chunk = output.find((one): one is OutputChunk => one.fileName === file);
    if (chunk?.moduleIds.length !== 1)
      throw new Error(`expected ${name} alone in ${file}, found ${chunk?.moduleIds.join(', ') ?? 'no such file'}`);
  }
}

/** A module sees the address that it would have if each were compiled by itself, so files beside it are found as in the sources. */
function addresses(source: string): Plugin {
  return {
    name: 'addresses',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
      for (const [, path = '', query] of code.matchAll(ADDRESS)) {
        const started = fileURLToPath(new URL(path, pathToFileURL(id)));
        const name = started.slice(source.length);
        if (!existsSync(started)) throw new Error(`${id} names ${path}, and there is no such file`);
        if ((query !== undefined) !== COPIED.includes(name))
          throw new Error(`${id}: copies are loaded of ${COPIED.join(', ')} alone, found ${name}`);
        const fileName = name.replace(/\.ts$/, '.js');
        if (query === undefined && !ENTRIES.includes(fileName.replace(/\.js$/, '')))
          this.emitFile({ type: 'chunk', id: started, fileName });
      }
      const meant = JSON.stringify(this.parse(code, { lang: 'ts' })).split('"name":"import"').length;
      if (meant !== code.split('import.meta.url').length)
        throw new Error(`${id}: import.meta.url stands in a text, and would be changed there`);
      const own = id.slice(source.length).replace(/\.ts$/, '.js');
      // No line moves, so the source map is that of the code before.
      return { code: code.replaceAll('import.meta.url', `new URL('${own}', distFolder).href`), map: null };
    },
  };
}
