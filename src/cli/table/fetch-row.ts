/** `tape fetch`. */
import { ARCHIVE_NAMES } from '../../run/setup/options.ts';
import type { CommandRow } from '../shell/command-row.ts';
import { JSON_OPTION } from './shared-options.ts';

export const FETCH_COMMAND: CommandRow = {
  name: 'tape fetch',
  summary: 'download a market from a public archive',
  description: 'Download trades, quotes, bars, mark prices or funding rates from a public archive of a vendor, and import them.',
  usage: '[options] SOURCE SYMBOL KIND FROM..TO',
  args: [
    { name: '[source]', description: 'the archive', choices: ARCHIVE_NAMES },
    { name: '[symbol]', description: 'as the vendor writes it, such as BTCUSDT' },
    { name: '[kind]', description: 'a timeframe of bars such as 1m, or trades, aggTrades, bookTicker, fundingRate, markPriceKlines' },
    { name: '[range]', description: 'years, months or days in UTC, both ends included: 2024-01..2024-06, 2024-01-05' },
  ],
  options: [
    {
      title: 'Options:',
      options: [
        { flags: '--list', description: 'show all sources and kinds, and download nothing' },
        { flags: '--market <market>', description: 'USDT contracts or spot', choices: ['futures', 'spot'], fallback: 'futures' },
        { flags: '-o, --out <folder>', description: 'the tape: a new one, or one to add to', usual: 'tapes/SYMBOL-KIND' },
        {
          flags: '--mirror <address>',
          description: "another server with the vendor's paths",
          usual: "TICKWRIGHT_MIRROR, else the vendor's",
        },
        { flags: '--contract-size <coins>', description: 'coins in a contract, where sizes count contracts' },
        { flags: '--keep', description: 'keep the downloaded archives' },
        JSON_OPTION,
      ],
    },
  ],
  examples: [
    ['tickwright tape fetch binance-vision BTCUSDT 1m 2024-01..2024-06', 'half a year of one-minute bars'],
    ['tickwright tape fetch binance-vision BTCUSDT aggTrades 2024-06-01..2024-06-07 --out tapes/week', 'a week of trades'],
    ['tickwright tape fetch binance-vision BTCUSDT fundingRate 2024-01..2024-06 --out tapes/BTCUSDT-1m', 'funding rates beside the bars'],
    ['tickwright tape fetch --list', 'all sources and kinds'],
  ],
  notes: [
    'Run again, it fetches only what the tape lacks; after Ctrl-C or a cut connection it goes on where it ended. Days that the archive does not have are gaps, and asked for again the next time.',
    'Every archive is compared with the SHA-256 that the vendor publishes, or unpacked if it publishes none. After an error nothing is imported.',
  ],
  variables: [
    ['HTTPS_PROXY', 'the proxy; NO_PROXY lists hosts without it'],
    ['TICKWRIGHT_MIRROR', '--mirror'],
  ],
  files: [
    ['--out FOLDER', 'the tape'],
    ['FOLDER.fetch/', 'downloads that are not imported yet; removed after the import'],
  ],
  exits: {
    done: '',
    failed: 'it was interrupted, or an archive is not there or damaged: the tape is as it was',
    usage: '',
    occupied: 'another process fetches for this tape',
    configuration: 'an archive cannot be imported, or the tape has another market',
  },
  run: async () => (await import('../tapes/tape-fetch-command.ts')).runFetch,
};
