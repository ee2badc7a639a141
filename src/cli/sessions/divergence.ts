/** `report divergence`: explains why a live session earned something else than its backtest. */
import type { Command } from 'commander';
import { shownJson } from '../../base/hidden.ts';
import { CAUSES } from '../../run/live/counterfactual/causes.ts';
import type { Divergence, Rung } from '../../run/live/counterfactual/divergence.ts';
import { configOf, type CliContext, type ConfigFlags } from '../shell/context.ts';
import { EXITS, helpText, type HelpParts } from '../shell/help.ts';
import { marketTapeOf, withMarketTape, type MarketTapeFlags } from './market-tape.ts';
import { safeText, table } from '../terminal/terminal.ts';
import { each } from '../shell/values.ts';

interface DivergenceFlags extends ConfigFlags, MarketTapeFlags {
  readonly session: string;
  readonly json?: true;
}

const PARTS: HelpParts = {
  examples: [
    ['tickwright report divergence --session var/bot', 'every cause of the difference, the largest first'],
    ['tickwright report divergence --session var/bot --tape tapes/recorded', 'on all that the market did, not only what was polled'],
    ['tickwright report divergence --session var/bot --config calibrated.yaml', 'with another simulation, such as that of `calibrate`'],
  ],
  notes: [
    'The session is run again as a backtest on what its polls saw. Each further run takes one more thing from the recording; the change of the profit is the amount of that cause. The amounts add up to the difference exactly. See docs/sessions.md.',
    'Of a configuration only the section `simulation` counts: everything else is that of the session.',
  ],
  exits: [['0', 'the difference was explained'], EXITS.usage, EXITS.configuration],
};

export function addDivergence(report: Command, context: CliContext): void {
  const command = report.command('divergence');
  command
    .summary('why a session earned something else than its backtest')
    .description('Run a recorded session again as a backtest, and attribute the difference of the profit to named causes.')
    .requiredOption('--session <folder>', "a recorded session, all sessions of a bot, or the bot's state folder")
    .option('-c, --config <file>', 'a configuration file: its simulation is that of the backtest')
    .option('--set <key=value>', 'one key of it; repeatable', each)
    .option('--json', 'print one JSON object');
  withMarketTape(command)
    .addHelpText('after', helpText(PARTS))
    .action(async (flags: DivergenceFlags) => {
      const { divergenceOf } = await import('../../run/live/counterfactual/divergence.ts');
      const { simulation } = await configOf(flags, context);
      const found = await divergenceOf(flags.session, { simulation, tape: marketTapeOf(flags) });
      context.io.stdout.write(flags.json ? `${shownJson(found)}\n` : safeText(textOf(found)));
    });
}

function textOf({ backtest, live, difference, causes, residual, sessions, notes }: Divergence): string {
  const title = sessions.length === 1 ? sessions[0]!.session : `${sessions.length} sessions`;
  const told = causes.filter(({ amount, evidence }) => evidence !== '' || Number(amount) !== 0);
  const rows = told.map(({ cause, amount, evidence }) => [CAUSES[cause].title, signed(amount), evidence]);
  return [
    `${title}\n\n`,
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
    ...notes.map((note) => `\n${note}\n`),
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
