/** `report divergence`: explains why a live session earned something else than its backtest. */
import { shownJson } from '../../base/hidden.ts';
import { CAUSES } from '../../run/live/counterfactual/causes.ts';
import type { Divergence, Rung } from '../../run/live/counterfactual/divergence.ts';
import { configOf, type CliContext, type ConfigFlags } from '../shell/context.ts';
import { marketTapeOf, type MarketTapeFlags } from './market-tape.ts';
import { table } from '../../report/document/text-table.ts';
import { safeText } from '../terminal/terminal.ts';

interface DivergenceFlags extends ConfigFlags, MarketTapeFlags {
  readonly session: string;
  readonly json?: true;
}

export async function runDivergence(flags: DivergenceFlags, context: CliContext): Promise<void> {
  const { divergenceOf } = await import('../../run/live/counterfactual/divergence.ts');
  const { simulation } = await configOf(flags, context);
  const found = await divergenceOf(flags.session, { simulation, tape: marketTapeOf(flags) });
  context.io.stdout.write(flags.json ? `${shownJson(found)}\n` : safeText(textOf(found)));
}

function textOf({ backtest, live, difference, causes, residual, sessions, notes }: Divergence): string {
  const title = sessions.length === 1 ? sessions[0]!.session : `${sessions.length} sessions`;
  const told = causes.filter(({ amount, evidence }) => evidence !== '' || Number(amount) !== 0);
  const rows = told.map(({ cause, amount, evidence }) => [CAUSES[cause].title, signed(amount), evidence]);
  return [
    `${title}\n\n`,
    ...notes.map((note) => `${note}\n\n`),
    table(
      [{ title: '' }, { title: '', align: 'right' }],
      [
        ['backtest', signed(backtest)],
        ['live', signed(live)],
        ['difference', signed(difference)],
      ],
    ),
    '\n',
    table([{ title: 'cause' }, { title: 'amount', align: 'right' }, { title: 'what was recorded', flows: true }], rows),
    `\nresidual ${residual}\n`,
    ...sessions.map(({ session, rungs }) => `\n${sessions.length === 1 ? 'Run by run' : session}\n${rungsText(rungs)}`),
  ].join('');
}

function rungsText(rungs: readonly Rung[]): string {
  const live = rungs.at(-1)!;
  return table(
    [
      { title: '  the run has', flows: true },
      { title: 'profit', align: 'right' },
      { title: 'fills', align: 'right' },
      { title: 'orders as live', align: 'right' },
    ],
    rungs.map(({ upTo, net, fills, orders, same }) => [
      `  ${upTo === 'backtest' ? 'nothing of the recording' : upTo === 'live' ? 'everything: the session' : `+ ${CAUSES[upTo].title}`}`,
      signed(net),
      String(fills),
      `${same} of ${orders} (live ${live.orders})`,
    ]),
  );
}

function signed(amount: string): string {
  return amount.startsWith('-') ? `−${amount.slice(1)}` : `+${amount}`;
}
