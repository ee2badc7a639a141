/** Modules of this program that are loaded by their address. The sources end in .ts, the package holds them compiled to .js. */

const ENDING = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** The address of the module that `source` names as a source file, in the copy of the program that runs. */
export function ownModule(source: URL): string {
  const url = new URL(source);
  url.pathname = url.pathname.replace(/\.ts$/, ENDING);
  return url.href;
}
