/** The files of a new project, and strategies copied from the gallery. Files that the package contains are copied from it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url));
const GALLERY = join(PACKAGE, 'strategies');

/** What a new project is checked with. A test compares both with the versions of this repository. */
export const TOOLS = { '@types/node': '24.19.2', typescript: '7.0.2' } as const;

const START = 'tickwright start --config config/paper.yaml';

/** Names of the gallery, sorted. */
export function galleryNames(): readonly string[] {
  const files = readdirSync(GALLERY).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return files.map((name) => name.slice(0, -3)).sort();
}

/** The gallery's strategy that `word` means: its name or a part of it between dashes. @throws Failure (usage) */
export function galleryName(word: string): string {
  const names = galleryNames();
  const meant = names.includes(word) ? word : names.filter((name) => name.split('-').includes(word));
  if (typeof meant === 'string') return meant;
  if (meant.length === 1) return meant[0]!;
  const found = meant.length === 0 ? `found "${word}"` : `"${word}" may be ${meant.join(' or ')}`;
  const hint = meant.length === 0 ? (didYouMean(word, names) ?? `there are ${names.join(', ')}`) : undefined;
  throw new Failure('flag-value', { what: `expected a strategy of the gallery, ${found}`, where: '--like', hint });
}

/** The files of a copy of a gallery strategy under a new name: the strategy and its test, by file name. @throws Failure (usage) */
export function strategyFiles(name: string, like: string): Readonly<Record<string, string>> {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) {
    throw new Failure('flag-value', {
      what: `expected a name of lower-case letters, digits and dashes, found "${name}"`,
      where: 'name',
      hint: 'for example: tickwright new strategy my-idea --like rsi',
    });
  }
  const source = galleryName(like);
  const strategy = readFileSync(join(GALLERY, `${source}.ts`), 'utf8').replace(`name: '${source}'`, `name: '${name}'`);
  const test = readFileSync(join(GALLERY, `${source}.test.ts`), 'utf8').replaceAll(`./${source}.ts`, `./${name}.ts`);
  return { [`${name}.ts`]: strategy, [`${name}.test.ts`]: test };
}

/** The files of a project by path. `name` is that of its folder; `like` names the gallery's strategy. */
export function projectFiles(folder: string, like: string): Readonly<Record<string, string>> {
  const name = 'first';
  const strategies = Object.entries(strategyFiles(name, like)).map(([file, text]) => [`strategies/${file}`, text] as const);
  return {
    'package.json': manifestOf(
      folder,
      { start: START, tickwright: 'tickwright', test: 'node --test "strategies/*.test.ts"', check: 'tsc' },
      TOOLS,
    ),
    'tsconfig.json': `${JSON.stringify(TSCONFIG, null, 2)}\n`,
    'config/paper.yaml': configText(name),
    ...commonFiles(),
    'README.md': readme(basename(folder), name),
    ...Object.fromEntries(strategies),
  };
}

/** The files that a project has whether or not there is code in it. */
export function commonFiles(): Readonly<Record<string, string>> {
  return {
    'ecosystem.config.cjs': readFileSync(join(PACKAGE, 'ecosystem.config.cjs'), 'utf8'),
    '.env.example': ENVIRONMENT,
    '.gitignore': IGNORED,
  };
}

/** package.json of a project without code. @throws Failure if the one that is there is CommonJS */
export function botManifest(folder: string): string {
  return manifestOf(folder, { start: START, tickwright: 'tickwright', crashtest: 'tickwright crashtest --config config/paper.yaml' }, {});
}

/**
 * Writes `files` into `folder`. A package.json that is there gets what it lacks; any other file that is there is never replaced. Nothing is
 * written if one of them is in the way. @throws Failure (usage)
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const taken = Object.keys(files).filter((path) => path !== 'package.json' && existsSync(join(folder, path)));
  if (taken.length > 0) {
    throw new Failure(
      'files-exist',
      taken.map((path) => ({ what: 'expected no such file yet, found one; nothing was written', where: join(folder, path) })),
    );
  }
  for (const [path, text] of Object.entries(files)) {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
}

/** package.json: a new one, or the one in `folder` with what it lacks. @throws Failure if it is CommonJS */
function manifestOf(folder: string, scripts: Readonly<Record<string, string>>, tools: Readonly<Record<string, string>>): string {
  const path = join(folder, 'package.json');
  const before = (existsSync(path) ? readManifest(path) : {}) as Record<string, unknown>;
  const wanted = {
    name:
      basename(folder)
        .toLowerCase()
        .replaceAll(/[^a-z0-9._-]+/g, '-') || 'bot',
    version: '0.1.0',
    private: true,
    type: 'module',
  };
  if (before['type'] === 'commonjs') {
    throw new Failure('files-exist', {
      what: 'expected "type": "module", found "commonjs": strategies and their tests are modules',
      where: path,
      hint: 'change that line, then run the command again',
    });
  }
  const section = (key: string, values: Readonly<Record<string, string>>): Record<string, string> => ({
    ...values,
    ...(before[key] as Record<string, string> | undefined),
  });
  const manifest = {
    ...wanted,
    ...before,
    type: 'module',
    scripts: section('scripts', scripts),
    dependencies: section('dependencies', { tickwright: ownSource(folder) }),
    devDependencies: section('devDependencies', tools),
    engines: section('engines', { node: '>=22.19' }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function readManifest(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Failure('files-exist', { what: `expected JSON, found none: ${(error as Error).message}`, where: path }, { cause: error });
  }
}

/** Where npm gets this program from again: the packed file or folder that it was installed from, else its version. */
function ownSource(folder: string): string {
  const modules = dirname(PACKAGE.replace(/[\\/]$/, ''));
  const lock = join(modules, '.package-lock.json');
  if (basename(modules) !== 'node_modules') return `file:${slashed(relative(folder, PACKAGE))}`;
  const { packages = {} } = (existsSync(lock) ? readManifest(lock) : {}) as { packages?: Record<string, { resolved?: string }> };
  const from = packages['node_modules/tickwright']?.resolved ?? '';
  if (!from.startsWith('file:')) return `^${version()}`;
  return `file:${slashed(relative(folder, resolve(dirname(modules), from.slice('file:'.length))))}`;
}

function version(): string {
  return (readManifest(join(PACKAGE, 'package.json')) as { readonly version: string }).version;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['strategies'],
};

/** The paper configuration of the package, with its paths as a project has them. */
function configText(name: string): string {
  return configWith(`strategies:\n  - file: ../strategies/${name}.ts\n    symbols: [BTCUSDT]\n`);
}

/** The same with `strategies` as given. */
export function configWith(strategies: string): string {
  const shipped = readFileSync(join(PACKAGE, 'config/paper.yaml'), 'utf8');
  const body = shipped.slice(shipped.indexOf('\n\n') + 2);
  return (
    CONFIG_HEAD +
    body
      .replace('limits: limits.paper.json', 'limits: ../node_modules/tickwright/config/limits.paper.json')
      .replace(/strategies:\n(?: .*\n)+/, () => strategies)
      .replace('\nstore:', `${LOSS_LIMITS}\nstore:`)
  );
}

const LOSS_LIMITS = `  # Opens stop when this is lost since 0:00 UTC, or since the equity's high. With money: narrower ones.
  maxDailyLoss: "5%"
  maxDrawdown: "20%"
`;

const CONFIG_HEAD = `# yaml-language-server: $schema=../node_modules/tickwright/docs/reference/config.schema.json
# The bot on a paper exchange. Paths are relative to this file. \`npm start\` brings its own exchange along and needs no address or key.
# All keys: npx tickwright config --keys

`;

const ENVIRONMENT = `# Credentials of the venue, for \`tickwright run\`. \`tickwright start\` needs none.
# Copy this file to .env (it is in .gitignore), fill it in, and load it: set -a; . ./.env; set +a
# Under PM2 use a file of mode 0600 instead, named in venue.credentials.
TICKWRIGHT_KEY=
TICKWRIGHT_SECRET=
TICKWRIGHT_PASSPHRASE=
`;

const IGNORED = `node_modules
var
tapes
csv
*.csv
*.study
report.html
report.json
.env
*.credentials.yaml
`;

function readme(project: string, name: string): string {
  return `# ${project}

A trading bot made with tickwright.

\`\`\`
npm install
npm test                 # strategies/*.test.ts
npm run check            # types
npm start                # a paper exchange on this machine, and the bot on it; Ctrl-C stops both
\`\`\`

The strategy is \`strategies/${name}.ts\`, its parameters and limits are in \`config/paper.yaml\`. A backtest needs a recording; this one is synthetic:

\`\`\`
npx tickwright tape synth --out tapes/made --duration 1h --symbol BTCUSDT
npx tickwright backtest --config config/paper.yaml --tape tapes/made
\`\`\`

Another strategy with its test, copied from the gallery:

\`\`\`
npx tickwright new strategy my-idea --like rsi
\`\`\`

| when | read, in node_modules/tickwright |
|---|---|
| you begin | docs/guide/README.md: learn by doing, from the first strategy to PM2 |
| you write a strategy | docs/strategies.md, docs/testing.md, docs/reference/indicators/README.md |
| you have recordings | docs/data.md |
| you keep it running | docs/pm2.md (\`ecosystem.config.cjs\` is here), docs/operations.md |
| you trade with money | docs/reference/limits.md, and config/live.example.yaml for the configuration |
`;
}
