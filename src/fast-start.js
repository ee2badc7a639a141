// Makes the start of the process and of each of its threads fast. Plain JavaScript, so that it runs before the first TypeScript file is read.
// The cache of compiled code saves half of a start, of a thread too: without it, a thread removes the types of each file again. A tenth goes
// with the questions to the disk what a relative import of this folder may be: it is the file of that name.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const folder = new URL('.', import.meta.url).href;
// In a checkout the sources run as they are; the package holds them compiled, many in one file.
export const isCompiled = existsSync(new URL('main.js', folder));

/** Call once in a process or thread. Returns true if there is a cache of compiled code. */
export function startFast() {
  const { status } = nodeModule.enableCompileCache();
  // Stack traces then name the lines of the sources.
  if (isCompiled) process.setSourceMapsEnabled(true);
  // As --disable-proto=delete does: text from outside can then not reach the prototype of all objects by that name.
  Reflect.deleteProperty(Object.prototype, '__proto__');
  // Older lines call some of what is used here experimental, on stderr, where a machine reads logs.
  const tellers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const tell of tellers) tell(warning);
  });
  const [ending, format] = isCompiled ? ['.js', 'module'] : ['.ts', 'module-typescript'];
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const isOwn = specifier.startsWith('.') && specifier.endsWith(ending) && context.parentURL?.startsWith(folder);
      if (!isOwn) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
    },
  });
  return [nodeModule.constants.compileCacheStatus.ENABLED, nodeModule.constants.compileCacheStatus.ALREADY_ENABLED].includes(status);
}
