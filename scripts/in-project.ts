/** The types of this repository, as the TypeScript compiler reads them. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API, type Project, type Symbol } from 'typescript/unstable/sync';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Calls `work` with the project, which is closed afterwards. */
export function inProject<T>(work: (project: Project) => T): T {
  const api = new API({ cwd: ROOT });
  try {
    return work(api.updateSnapshot({ openProject: join(ROOT, 'tsconfig.json') }).getProjects()[0]!);
  } finally {
    api.close();
  }
}

/** What a file exports, given by its path from the root. */
export function exportsOf({ checker, program }: Project, path: string): readonly Symbol[] {
  return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, path))!)!);
}
