/** `ledger`: shows the ledger of a paper exchange on disk, as counts or line by line. */
import { Option, type Command } from 'commander';
import { shownJson } from '../../base/hidden.ts';
import { ENDPOINT_LIST } from '../../contract/endpoints/endpoints.ts';
import type { LedgerSummary } from '../../run/exchange/ledger-summary.ts';
import type { CliContext } from '../shell/context.ts';
import { EXITS, helpText, type HelpParts } from '../shell/help.ts';
import { safeText, table } from '../terminal/terminal.ts';

interface LedgerFlags {
  readonly json?: true;
  readonly lines?: readonly string[];
}

const PARTS: HelpParts = {
  examples: [
    ['tickwright ledger var/exchange', 'requests, orders, fills, faults and money, counted'],
    ['tickwright ledger var/exchange --lines fill fault', 'the lines of these kinds, one JSON object each'],
    ['tickwright ledger var/exchange --json', 'for other programs'],
  ],
  notes: ['It may be read while the exchange runs. Numbers are those of the simulator: ticks, lots, and 10^-8 of a coin.'],
  exits: [EXITS.done, EXITS.failed, EXITS.usage],
};

export function addLedger(program: Command, context: CliContext): void {
  program
    .command('ledger')
    .usage('<folder> [options]') // the kinds of --lines take all words that follow them
    .summary("show a paper exchange's ledger")
    .description('Show what happened on a paper exchange, from its ledger on disk.')
    .argument('<folder>', 'the folder of --state; that of start has it in "exchange"')
    .addOption(
      new Option(
        '--lines <kinds...>',
        'print the lines of these kinds: request, command, order, end, fill, cash, step, fault, read, counts, refusal',
      ).conflicts('json'),
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', helpText(PARTS))
    .action(async (folder: string, flags: LedgerFlags) => {
      const { linesIn, summarise } = await import('../../run/exchange/ledger-summary.ts');
      const { stdout } = context.io;
      if (flags.lines !== undefined) for (const line of linesIn(folder, flags.lines)) stdout.write(`${line}\n`);
      else stdout.write(flags.json ? `${shownJson(summarise(folder))}\n` : textOf(summarise(folder)));
    });
}

function textOf({ lines, missing, requests, reads, refusals, commands, orders, fills, liquidations, faults, cash }: LedgerSummary): string {
  const rows = (what: string, counts: Readonly<Record<string, number | string>>): string[][] =>
    Object.entries(counts).map(([key, value], k) => [k === 0 ? what : '', safeText(withTitle(key)), String(value)]);
  const all = [
    ...(missing === 0 ? [] : rows('missing', { 'lines of deleted segments': missing })),
    ...rows('requests', requests),
    ...rows('reads', reads),
    ...rows('refused', refusals),
    ...rows('operator', commands),
    ...rows('orders', orders),
    ...rows('fills', { all: fills }),
    ...rows('liquidations', liquidations),
    ...rows('faults', faults),
    ...rows('money', cash),
  ];
  return table([{ title: `${lines} lines` }, { title: '' }, { title: '', align: 'right' }], all);
}

/** "E12 00000" as "E12 Place order 00000". */
function withTitle(key: string): string {
  const [id = '', ...rest] = key.split(' ');
  const endpoint = ENDPOINT_LIST.find((one) => one.id === id);
  return endpoint === undefined ? key : [id, endpoint.title, ...rest].join(' ');
}
