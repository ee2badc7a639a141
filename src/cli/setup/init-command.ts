/** `init`: a new project. `new strategy`: a strategy with its test, copied from the gallery. */
import { relative, resolve } from 'node:path';
import { shellWord } from '../../run/setup/shell-word.ts';
import type { ReadyMade } from '../../domain/ready-made.ts';
import { folderToBe, type CliContext } from '../shell/cli-context.ts';
import { galleryName, projectFiles, strategyFiles, writeFiles } from './project-files.ts';
import { safeText } from '../terminal/terminal.ts';

interface InitFlags {
  readonly like: string;
  readonly bot?: ReadyMade;
}

export async function runInit({ like, bot }: InitFlags, context: CliContext, given: string): Promise<void> {
  const folder = folderToBe(given, 'folder');
  const files =
    bot === undefined ? projectFiles(folder, galleryName(like)) : await (await import('./bot-project.ts')).botFiles(folder, bot);
  writeFiles(folder, files);
  const here = relative(process.cwd(), folder);
  const enter = here === '' ? '' : `cd ${shellWord(here)} && `;
  const list = Object.keys(files).map((path) => `  ${path}\n`);
  const next = `\nNext:\n  ${enter}npm install\n${bot === undefined ? '  npm test\n' : ''}  npm start\n`;
  context.io.stdout.write(safeText(`made ${here === '' ? 'a project here' : here}:\n${list.join('')}${next}`));
}

export function runNew(flags: { readonly like: string; readonly folder: string }, context: CliContext, name: string): void {
  const { like } = flags;
  const folder = folderToBe(flags.folder, '--folder');
  writeFiles(folder, strategyFiles(name, like));
  const path = relative(process.cwd(), resolve(folder, name));
  const file = shellWord(`${path}.ts`);
  const next = `\nNext:\n  node --test ${shellWord(`${path}.test.ts`)}\n  npx tickwright backtest --strategy ${file} --tape FOLDER\n  npx tickwright start --strategy ${file}\n`;
  context.io.stdout.write(safeText(`made ${path}.ts and ${path}.test.ts, like ${galleryName(like)}\n${next}`));
}
