/** The files of a project without code: a ready-made strategy in a configuration, with every parameter, its range and its meaning. */
import { READY_MADE_RISK, readyMadeFile } from '../../config/ready-made.ts';
import type { ReadyMade } from '../../domain/ready-made.ts';
import { loadStrategy } from '../../run/setup/strategy/load-strategy.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { botManifest, commonFiles, configWith } from './project-files.ts';

/** Values with which a bot trades within its first minutes on paper, instead of the defaults. */
const ON_PAPER: Readonly<Record<ReadyMade, Readonly<Record<string, string>>>> = {
  grid: { range: '0.3', every: '1s' },
  dca: { step: '0.05', profit: '0.05', pause: '5s', every: '1s' },
  rebalance: { every: '10s' },
  signal: {},
  trend: { bar: '5s' },
};
const SYMBOLS: Readonly<Record<ReadyMade, string>> = {
  grid: 'BTCUSDT',
  dca: 'BTCUSDT',
  rebalance: 'BTCUSDT, ETHUSDT',
  signal: 'BTCUSDT',
  trend: 'BTCUSDT',
};

type Shape = Awaited<ReturnType<typeof loadStrategy>>['params'];

/** The files of a project that runs `bot`, by path. */
export async function botFiles(folder: string, bot: ReadyMade): Promise<Readonly<Record<string, string>>> {
  const { doc, params } = await loadStrategy(readyMadeFile(bot));
  return {
    'package.json': botManifest(folder),
    'config/paper.yaml': configWith(entryText(bot, doc, params)),
    ...commonFiles(),
    'README.md': readme(bot, doc),
  };
}

/** The entry of `strategies`, with all parameters. A value that differs from the default says so. */
function entryText(bot: ReadyMade, doc: string, params: Shape): string {
  const lines = Object.entries(params).map(([name, { fallback, doc: meaning, expects, type }]) => {
    const usual = type === 'duration' ? formatDuration(fallback as number) : String(fallback);
    const value = ON_PAPER[bot][name] ?? usual;
    const isText = type === 'text' || type === 'size' || value === '';
    const note = value === usual ? '' : ` Default ${usual}; this one trades at once on paper.`;
    return `      # ${meaning} [${expects}]${note}\n      ${name}: ${isText ? JSON.stringify(value) : value}\n`;
  });
  const risk = Object.entries(READY_MADE_RISK).map(([key, value]) => `      ${key}: ${JSON.stringify(value)}\n`);
  return `strategies:
  # ${doc}
  - strategy: ${bot}
    symbols: [${SYMBOLS[bot]}]
    params:
${lines.join('')}    # Limits of this strategy. All of them: node_modules/tickwright/docs/reference/limits.md
    risk:
${risk.join('')}`;
}

function readme(bot: ReadyMade, doc: string): string {
  return `# The bot ${bot}

${doc} There is no code here: everything is in \`config/paper.yaml\`.

\`\`\`
npm install
npm start                # a paper exchange on this machine, and the bot on it; Ctrl-C stops both
npm run crashtest        # the bot against bad markets and a venue that fails
\`\`\`

A backtest needs a recording; this one is synthetic:

\`\`\`
npx tickwright tape synth --out tapes/made --duration 1h --symbol BTCUSDT --symbol ETHUSDT
npx tickwright backtest --config config/paper.yaml --tape tapes/made
\`\`\`

Read node_modules/tickwright/docs/bots.md: what it does, when it loses, and how it is limited.
`;
}
