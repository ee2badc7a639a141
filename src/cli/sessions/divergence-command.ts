/** `report divergence`: explains why a live session earned something else than its backtest. */
import { Failure } from '../../base/failure/failure.ts';
import { DAY_MS, dayAt } from '../../base/time/time-spans.ts';
import { CAUSES } from '../../run/live/counterfactual/causes.ts';
import type { Divergence, Rung } from '../../run/live/counterfactual/divergence.ts';
import { configOf, type CliContext, type ConfigFlags } from '../shell/cli-context.ts';
import { marketTapeOf, type MarketTapeFlags } from './market-tape.ts';
import type { Block, Document, Section } from '../../report/document/document.ts';
import { numbers, words } from '../../report/document/text-table.ts';
import { showDocument, tellWritten } from '../shell/show-result.ts';
import { printJson } from '../shell/print-json.ts';

interface DivergenceFlags extends ConfigFlags, MarketTapeFlags {
  readonly session: string;
  readonly json?: true;
  readonly daily?: true;
  readonly days?: number;
  readonly html?: string;
}

export async function runDivergence(flags: DivergenceFlags, context: CliContext): Promise<void> {
  if (flags.daily === true) return runDaily(flags, context);
  const wrong = flags.days !== undefined ? '--days' : flags.html !== undefined ? '--html' : null;
  if (wrong !== null) throw new Failure('flag-conflict', { what: `${wrong} works only with --daily`, where: wrong });
  const { divergenceOf } = await import('../../run/live/counterfactual/divergence.ts');
  const { simulation } = await configOf(flags, context);
  const found = await divergenceOf(flags.session, { simulation, tape: marketTapeOf(flags) });
  if (flags.json) printJson(context.io, 'report divergence', found);
  else await showDocument(divergenceDocument(found), context.io);
}

/** Day by day, as far as recordings go back. */
async function runDaily(flags: DivergenceFlags, context: CliContext): Promise<void> {
  const { divergenceDays } = await import('../../run/live/counterfactual/daily.ts');
  const { simulation } = await configOf(flags, context);
  const now = Date.now();
  const from = flags.days === undefined ? undefined : dayAt(now) - flags.days * DAY_MS;
  const found = await divergenceDays(flags.session, { simulation, tape: marketTapeOf(flags), from, now });
  if (flags.json) return printJson(context.io, 'report divergence', found);
  const { dailyDocument } = await import('../../run/live/counterfactual/daily-document.ts');
  const document = dailyDocument(found);
  await showDocument(document, context.io);
  if (flags.html === undefined) return;
  const { writeDocumentPage } = await import('../../run/report/report-files.ts');
  writeDocumentPage(flags.html, document);
  tellWritten(context.io, flags.html);
}

function divergenceDocument({ backtest, live, difference, causes, residual, sessions, notes }: Divergence): Document {
  const named = causes.filter(({ amount, evidence }) => evidence !== '' || Number(amount) !== 0);
  const result: Block[] = [
    ...(notes.length === 0 ? [] : [{ kind: 'notes', notes } as const]),
    {
      kind: 'table',
      columns: [{ title: '' }, numbers('')],
      rows: [
        ['backtest', signed(backtest)],
        ['live', signed(live)],
        ['difference', signed(difference)],
        ['residual', residual],
      ],
    },
    {
      kind: 'table',
      columns: [{ title: 'cause' }, numbers('amount'), words('what was recorded')],
      rows: named.map(({ cause, amount, evidence }) => [CAUSES[cause].title, signed(amount), evidence]),
    },
  ];
  const isOne = sessions.length === 1;
  return {
    title: isOne ? sessions[0]!.session : `${sessions.length} sessions`,
    words: '',
    sections: [
      { id: 'causes', title: '', words: '', blocks: result },
      ...sessions.map(({ session, rungs }) => runsSection(isOne ? 'Run by run' : session, rungs)),
    ],
  };
}

function runsSection(title: string, rungs: readonly Rung[]): Section {
  const live = rungs.at(-1)!;
  const rows = rungs.map(({ upTo, net, fills, orders, same }) => [
    upTo === 'backtest' ? 'nothing of the recording' : upTo === 'live' ? 'everything: the session' : `+ ${CAUSES[upTo].title}`,
    signed(net),
    String(fills),
    `${same} of ${orders} (live ${live.orders})`,
  ]);
  const columns = [words('the run has'), ...['profit', 'fills', 'orders as live'].map(numbers)];
  return { id: title, title, words: '', blocks: [{ kind: 'table', columns, rows }] };
}

function signed(amount: string): string {
  return amount.startsWith('-') ? `−${amount.slice(1)}` : `+${amount}`;
}
