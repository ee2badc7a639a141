/** `ledger`: shows the ledger of a paper exchange on disk, as counts or line by line. */
import { ENDPOINT_LIST } from '../../contract/endpoints/endpoints.ts';
import type { LedgerSummary } from '../../run/exchange/ledger-summary.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { numbers, table } from '../../report/document/text-table.ts';
import { safeText } from '../terminal/terminal.ts';
import { printJson } from '../shell/print-json.ts';

interface LedgerFlags {
  readonly json?: true;
  readonly lines?: readonly string[];
}

export async function runLedger(flags: LedgerFlags, context: CliContext, folder: string): Promise<void> {
  const { linesIn, summarise } = await import('../../run/exchange/ledger-summary.ts');
  const { stdout } = context.io;
  if (flags.lines !== undefined) for (const line of linesIn(folder, flags.lines)) stdout.write(`${line}\n`);
  else if (flags.json) printJson(context.io, 'ledger', summarise(folder));
  else stdout.write(textOf(summarise(folder)));
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
  return table([{ title: `${lines} lines` }, { title: '' }, numbers('')], all);
}

/** "E12 00000" as "E12 Place order 00000". */
function withTitle(key: string): string {
  const [id = '', ...rest] = key.split(' ');
  const endpoint = ENDPOINT_LIST.find((one) => one.id === id);
  return endpoint === undefined ? key : [id, endpoint.title, ...rest].join(' ');
}
