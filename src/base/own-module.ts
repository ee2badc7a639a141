/** Addresses of this program's modules that are loaded dynamically. Sources end in .ts; the package has them compiled to .js. */

const ENDING = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** The address of the module whose source file is `source`, in the running copy of the program. */
export function ownModule(source: URL): string {
  const url = new URL(source);
  url.pathname = url.pathname.replace(/\.ts$/, ENDING);
  return url.href;
}
