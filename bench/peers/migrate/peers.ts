/** The frameworks of docs/migrate, with the versions of the packages that decide about their results, and how each is run. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, pythonOf } from '../peers.ts';

/** What a run gave. */
export interface Figures {
  readonly trades: number;
  readonly net: number;
}

/** The market of docs/migrate/README.md as files: bars of an hour and of a minute, as `tape export` writes them, and a folder to work in. */
export interface Market {
  readonly hours: string;
  readonly minutes: string;
  readonly folder: string;
}

interface Peer {
  readonly page: string;
  readonly packages: readonly string[];
  readonly run: (market: Market) => Figures;
}

const script = (name: string): string => join(import.meta.dirname, name);

/** The last line that the script prints, which is JSON. */
function lastLine(peer: string, args: readonly string[], cwd: string): Figures {
  const out = execFileSync(pythonOf(peer), args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(out.trimEnd().split('\n').at(-1)!) as Figures;
}

/** An empty folder below that of the market. */
function fresh({ folder }: Market, name: string): string {
  const own = join(folder, name);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  return own;
}

export const MIGRATED: Readonly<Record<string, Peer>> = {
  'backtesting-py': {
    page: 'backtesting-py.md',
    packages: ['backtesting==0.6.6', 'numpy==2.4.6', 'pandas==3.1.1'],
    run: (market) => lastLine('backtesting-py', [script('backtesting_cross.py'), market.hours], market.folder),
  },
  freqtrade: {
    page: 'freqtrade.md',
    packages: ['freqtrade==2026.9', 'TA-Lib==0.8.2', 'numpy==2.4.6', 'pandas==3.1.1'],
    run: (market) => lastLine('freqtrade', [script('freqtrade_run.py'), market.hours, fresh(market, 'freqtrade')], market.folder),
  },
  jesse: {
    page: 'jesse.md',
    packages: ['jesse==3.5.3', 'numpy==1.26.4', 'pandas==2.2.3'],
    // It writes a folder "storage" where it is started.
    run: (market) => lastLine('jesse', [script('jesse_cross.py'), market.minutes], fresh(market, 'jesse')),
  },
  pynecore: {
    page: 'pine.md',
    packages: ['pynesys-pynecore==6.11.0'],
    run: pine,
  },
};

/** PyneCore wants times in seconds, and writes its results beside the script. */
function pine(market: Market): Figures {
  const own = fresh(market, 'pynecore');
  const rows = readFileSync(market.hours, 'utf8').trimEnd().split('\n').slice(1);
  const seconds = rows.map((row) => {
    const [, ms = '', ...cells] = row.split(',');
    return [Number(ms) / 1000, ...cells].join();
  });
  writeFileSync(join(own, 'BTCUSDT_60.csv'), ['time,open,high,low,close,volume', ...seconds, ''].join('\n'));
  copyFileSync(script('pine_cross.py'), join(own, 'pine_cross.py'));
  execFileSync(pythonOf('pynecore'), ['pine_cross.py', 'BTCUSDT_60.csv'], { cwd: own, stdio: 'ignore' });
  const said = readFileSync(join(own, 'pine_cross_strat.csv'), 'utf8');
  const figure = (name: string): number => Number(new RegExp(`^${name},([^,]+)`, 'm').exec(said)?.[1]);
  return { trades: figure('Total trades'), net: figure('Net profit') };
}

export const isInstalled = (peer: string): boolean => existsSync(pythonOf(peer));

export function install(peer: string): void {
  const run = (command: string, args: readonly string[]): void => void execFileSync(command, args, { stdio: 'inherit' });
  rmSync(folderOf(peer), { recursive: true, force: true });
  run('python3', ['-m', 'venv', folderOf(peer)]);
  try {
    run(pythonOf(peer), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...MIGRATED[peer]!.packages]);
  } catch (error) {
    // A half of an installation would be taken for a whole one.
    rmSync(folderOf(peer), { recursive: true, force: true });
    throw error;
  }
}
