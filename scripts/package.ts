/**
 * The package that others install, made by `npm pack` and `npm publish`: `build` compiles src to dist; `publish` puts the manifest of the
 * package in place of that of the checkout; `restore` takes it back.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { componentsOf, licenceList, softwareBill, type Lock, type Product } from './components.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const at = (path: string): string => join(root, path);
const kept = at('var/package.checkout.json');

async function build(): Promise<void> {
  rmSync(at('dist'), { recursive: true, force: true });
  // Types of what strategies and their tests import.
  execFileSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', at('tsconfig.build.json')], { stdio: 'inherit' });
  await bundle(at('src/'), at('dist'));
  // What is no TypeScript is taken as it is: the first files of the program and of its threads, and the pages.
  cpSync(at('src'), at('dist'), { recursive: true, filter: (path) => extname(path) !== '.ts' });
  const product = JSON.parse(readFileSync(at('package.json'), 'utf8')) as Product;
  const components = componentsOf(product, JSON.parse(readFileSync(at('package-lock.json'), 'utf8')) as Lock);
  writeFileSync(at('dist/sbom.cdx.json'), softwareBill(product, components));
  writeFileSync(at('dist/licences.md'), licenceList(product, components));
}

function publish(): void {
  restore();
  mkdirSync(at('var'), { recursive: true });
  copyFileSync(at('package.json'), kept);
  const { scripts: _scripts, devDependencies: _tools, overrides: _overrides, ...manifest } = JSON.parse(readFileSync(kept, 'utf8'));
  // The pinned Node.js serves checkouts. Whoever installs the package has one.
  const isRuntime = (name: string): boolean => /^node-(bin-)?(linux|darwin|win)-/.test(name);
  const optional = Object.entries(manifest.optionalDependencies).filter(([name]) => !isRuntime(name));
  writeFileSync(
    at('package.json'),
    `${JSON.stringify(
      {
        ...manifest,
        bin: { tickwright: 'dist/tickwright.js' },
        exports: { ...compiled(manifest.exports), './package.json': './package.json' },
        optionalDependencies: Object.fromEntries(optional),
      },
      null,
      2,
    )}\n`,
  );
}

/** The same doors, where they are after compiling. */
function compiled(doors: Readonly<Record<string, { readonly default: string }>>): Record<string, { types: string; default: string }> {
  return Object.fromEntries(
    Object.entries(doors).map(([door, { default: source }]) => {
      const place = source.replace(/^\.\/src\/(.*)\.ts$/, './dist/$1');
      return [door, { types: `${place}.d.ts`, default: `${place}.js` }];
    }),
  );
}

function restore(): void {
  if (existsSync(kept)) renameSync(kept, at('package.json'));
}

const steps: Readonly<Record<string, () => void | Promise<void>>> = { build, publish, restore };
const step = steps[process.argv[2] ?? ''];
if (step === undefined) throw new RangeError(`expected one of ${Object.keys(steps).join(', ')}`);
await step();
