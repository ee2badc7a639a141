/** `init`: a new project. `new strategy`: a strategy with its test, copied from the gallery. */
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../../base/failure.ts';
import { folderToBe, type CliContext } from '../shell/context.ts';
import { EXITS, helpText, type HelpParts } from '../shell/help.ts';
import { galleryName, galleryNames, projectFiles, strategyFiles, writeFiles } from './project-files.ts';
import { safeText } from '../terminal/terminal.ts';

const INIT: HelpParts = {
  examples: [
    ['tickwright init my-bot', 'a project in the folder my-bot'],
    ['tickwright init . --like rsi', 'here, with another strategy of the gallery'],
  ],
  notes: ['Existing files are not replaced. An existing package.json gets the missing lines.'],
  files: [
    ['strategies/', 'one strategy and its test'],
    ['config/paper.yaml', 'its configuration, checked by editors'],
    ['package.json, tsconfig.json', 'npm start, npm test, npm run check'],
    ['ecosystem.config.cjs', 'for PM2'],
  ],
  exits: [EXITS.done, EXITS.usage],
};

const NEW: HelpParts = {
  examples: [
    ['tickwright new strategy my-idea --like rsi', 'strategies/my-idea.ts and its test'],
    ['tickwright new strategy maker --like quoter --folder bots', 'in another folder'],
  ],
  notes: ['A part of a name is enough if only one strategy has it. Existing files are not replaced.'],
  exits: [EXITS.done, EXITS.usage],
};

export function addInit(program: Command, context: CliContext): void {
  program
    .command('init')
    .summary('make a new project')
    .description('Make a new project: a strategy, its test, a configuration, and what npm, TypeScript and PM2 need.')
    .argument('[folder]', 'where; it is made if it is not there', '.')
    .option('--like <name>', 'the strategy of the gallery to begin with', 'ema-cross')
    .addHelpText('after', helpText(INIT))
    .action((given: string, flags: { readonly like: string }) => {
      const folder = folderToBe(given, 'folder');
      const files = projectFiles(folder, galleryName(flags.like));
      writeFiles(folder, files);
      const here = relative(process.cwd(), folder);
      const enter = here === '' ? '' : `cd ${here} && `;
      const list = Object.keys(files).map((path) => `  ${path}\n`);
      const next = `\nNext:\n  ${enter}npm install\n  npm test\n  npm start\n`;
      context.io.stdout.write(safeText(`made ${here === '' ? 'a project here' : here}:\n${list.join('')}${next}`));
    });
}

export function addNew(program: Command, context: CliContext): void {
  const command = program
    .command('new')
    .summary('make a strategy like one of the gallery')
    .description('Make a strategy with its test: a copy of one of the gallery, under a new name.');
  command
    .command('strategy')
    .summary('a strategy and its test')
    .description('Copy a strategy of the gallery and its test, under a new name.')
    .argument('<name>', 'its name: lower-case letters, digits and dashes')
    .option('--like <name>', `the strategy to copy (${galleryNames().join(', ')})`)
    .option('--folder <folder>', 'where to', 'strategies')
    .addHelpText('after', helpText(NEW))
    .action((name: string, flags: { readonly like?: string; readonly folder: string }) => {
      if (flags.like === undefined)
        throw new Failure('flag-missing', { what: '--like NAME is missing', hint: `there are ${galleryNames().join(', ')}` });
      const { like } = flags;
      const folder = folderToBe(flags.folder, '--folder');
      writeFiles(folder, strategyFiles(name, like));
      const path = relative(process.cwd(), resolve(folder, name));
      const next = `\nNext:\n  node --test ${path}.test.ts\n  npx tickwright backtest --strategy ${path}.ts --tape FOLDER\n  npx tickwright start --strategy ${path}.ts\n`;
      context.io.stdout.write(safeText(`made ${path}.ts and ${path}.test.ts, like ${galleryName(like)}\n${next}`));
    });
  command.addHelpText('after', helpText({ ...NEW, exits: [] }));
}
