/** Commands that set a project up, check it, or look something up. */
import { READY_MADE } from '../../domain/ready-made.ts';
import type { CommandRow } from '../shell/command-row.ts';
import { ANY_KEY, configuration, CREDENTIALS, JSON_OPTION } from './shared-options.ts';

const NEW: Pick<CommandRow, 'examples' | 'notes'> = {
  examples: [
    ['tickwright new strategy my-idea --like rsi', 'my-idea.ts and its test, in the folder strategies'],
    ['tickwright new strategy maker --like quoter --folder bots', 'in another folder'],
  ],
  notes: [
    'A part of a name is enough if only one strategy has it. Existing files are not replaced.',
    async () => `Strategies of the gallery: ${(await import('../setup/project-files.ts')).galleryNames().join(', ')}.`,
  ],
};

export const SETUP_COMMANDS: readonly CommandRow[] = [
  {
    name: 'init',
    summary: 'make a new project',
    description: 'Make a new project: a strategy, its test, a configuration, and what npm, TypeScript and PM2 need.',
    args: [{ name: '[folder]', description: 'where; it is made if it is not there', fallback: '.' }],
    options: [
      {
        title: 'Options:',
        options: [
          { flags: '--like <name>', description: 'the strategy of the gallery to begin with', fallback: 'ema-cross' },
          { flags: '--bot <name>', description: 'a ready-made bot instead, in a configuration without code', choices: READY_MADE },
        ],
      },
    ],
    examples: [
      ['tickwright init my-bot', 'a project in the folder my-bot'],
      ['tickwright init . --like rsi', 'here, with another strategy of the gallery'],
      ['tickwright init my-grid --bot grid', 'a grid on paper, by configuration alone'],
    ],
    notes: ['Existing files are not replaced. An existing package.json gets the missing lines.'],
    files: [
      ['strategies/', 'one strategy and its test'],
      ['config/paper.yaml', 'its configuration, checked by editors'],
      ['package.json, tsconfig.json', 'npm start, npm test, npm run check'],
      ['ecosystem.config.cjs', 'for PM2'],
    ],
    exits: { done: '', usage: '' },
    run: async () => (await import('../setup/init-command.ts')).runInit,
  },
  {
    name: 'new',
    summary: 'make a strategy like one of the gallery',
    description: 'Make a strategy with its test: a copy of one of the gallery, under a new name.',
    ...NEW,
  },
  {
    name: 'new strategy',
    summary: 'a strategy and its test',
    description: 'Copy a strategy of the gallery and its test, under a new name.',
    args: [{ name: '<name>', description: 'its name: lower-case letters, digits and dashes' }],
    options: [
      {
        title: 'Options:',
        options: [
          { flags: '--like <name>', description: 'the strategy to copy', isNeeded: true },
          { flags: '--folder <folder>', description: 'where to', fallback: 'strategies' },
        ],
      },
    ],
    ...NEW,
    exits: { done: '', usage: '' },
    run: async () => (await import('../setup/init-command.ts')).runNew,
  },
  {
    name: 'indicators',
    summary: 'list the indicators, or describe one',
    description:
      'List the indicators that strategies can import from tickwright. With the name of one: its parameters, outputs and formula.',
    args: [{ name: '[words...]', description: 'a name; or words that must be in the name, title or family' }],
    options: [{ title: 'Options:', options: [JSON_OPTION] }],
    examples: [
      ['tickwright indicators', 'all of them, by family'],
      ['tickwright indicators bands', 'those with "bands" in their name, title or family'],
      ['tickwright indicators macd', 'one in full: parameters, outputs, formula'],
    ],
    notes: ['docs/reference/indicators has the same facts with a chart of each.'],
    exits: { done: '', usage: '' },
    run: async () => (await import('../setup/indicators-command.ts')).runIndicators,
  },
  {
    name: 'config',
    summary: 'show the effective configuration',
    description: 'Check a configuration and show every key, its value and where the value came from. Secrets are never shown.',
    options: [
      {
        title: 'Options:',
        options: [...configuration('the configuration file'), { flags: '--keys', description: 'say what each key means' }, JSON_OPTION],
      },
    ],
    examples: [
      ['tickwright config', 'every key with its default'],
      ['tickwright config --config config/paper.yaml', 'the effective values, and where each came from'],
      ['tickwright config --keys', 'what each key means and the variable that sets it'],
    ],
    notes: ['A later source wins: default, file, TICKWRIGHT_ variable, --set.'],
    variables: [CREDENTIALS, ANY_KEY],
    exits: { done: '', usage: '', configuration: 'the file is wrong: the error names line and column' },
    run: async () => (await import('../setup/inspect-commands.ts')).showConfig,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a configuration file, or of what a command prints',
    description:
      'Print the JSON Schema (draft 7) of a configuration file, for editors. With the words of a command: the JSON Schema (2020-12) of what it prints with --json, for programs.',
    args: [{ name: '[command...]', description: 'a command with --json, such as status or tape info' }],
    examples: [
      ['tickwright schema > config.schema.json', 'the same as docs/reference/config.schema.json'],
      ['tickwright schema status', 'of the answer of `tickwright status --json`'],
      ['tickwright schema tape info', 'of what `tickwright tape info FOLDER --json` prints'],
    ],
    notes: [
      'An editor uses it when the first line of a configuration file is: # yaml-language-server: $schema=PATH, a path relative to that file or a URL.',
    ],
    exits: { done: '', usage: '' },
    run: async () => (await import('../setup/inspect-commands.ts')).showSchema,
  },
  {
    name: 'doctor',
    summary: 'check this machine, the configuration and the venue',
    description: 'Check Node.js, the configuration, the strategies, the store, and the venue with its clock.',
    options: [{ title: 'Options:', options: [...configuration('the configuration file'), JSON_OPTION] }],
    examples: [['tickwright doctor'], ['tickwright doctor --config live.yaml', 'asks the venue that the file names, too']],
    variables: [CREDENTIALS, ANY_KEY],
    exits: { done: 'nothing is wrong; there may be warnings', failed: 'something is wrong', usage: '' },
    run: async () => (await import('../setup/inspect-commands.ts')).runDoctor,
  },
  {
    name: 'assumptions',
    summary: 'what the interface leaves open, and what we assume',
    description: 'Print the list of assumptions: where the interface is silent, what this program does, and in which file.',
    options: [{ title: 'Options:', options: [JSON_OPTION] }],
    examples: [['tickwright assumptions'], ['tickwright assumptions --json', 'for other programs']],
    notes: ['docs/reference/assumptions.md has the same list. Assumptions with a switch can be changed on `tickwright exchange`.'],
    exits: { done: '', usage: '' },
    run: async () => (await import('../setup/inspect-commands.ts')).showAssumptions,
  },
];
