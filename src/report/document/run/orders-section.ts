/** Says what became of the orders, and what each strategy did, from bars to fills. */
import { FUNNEL_STAGES, type StrategyFunnel } from '../../../domain/messages/why.ts';
import type { FunnelStep, RunReport } from '../../run-report.ts';
import type { Cell, Section, Table } from '../document.ts';
import { percent, whole } from '../figures.ts';
import { numbers, words } from '../text-table.ts';

export function ordersSection({ funnel, orders, strategyFunnels = [] }: RunReport): Section {
  const rules = Object.entries(orders.refused).map(([rule, n]) => `${rule} ${whole(n)}`);
  return {
    id: 'orders',
    link: 'Orders',
    title: 'What became of the orders',
    words: rules.length === 0 ? 'none was refused by a risk rule' : `refused by rule: ${rules.join(', ')}`,
    blocks: [funnelOf(funnel), ...(strategyFunnels.length === 0 ? [] : [strategiesOf(strategyFunnels)])],
    isHalf: true,
  };
}

function funnelOf(funnel: readonly FunnelStep[]): Table {
  const most = Math.max(...funnel.map(({ count }) => count), 1);
  const countOf = (key: FunnelStep['of']): number => funnel.find((step) => step.key === key)?.count ?? 0;
  return {
    kind: 'table',
    columns: [{ title: '' }, { title: '', bar: 'left' }, numbers(''), numbers('')],
    rows: funnel.map(({ key, title, count, of }): Cell[] => {
      const isLoss = key === 'refused' || key === 'unsent' || key === 'rejected';
      const total = countOf(of);
      return [
        { text: title, tone: isLoss || key === 'cancelled' || key === 'left' ? 'part' : '' },
        { text: '', value: count / most, tone: isLoss ? 'down' : '' },
        { text: whole(count), value: count, key: `funnel.${key}` },
        { text: total === 0 ? '' : percent(count / total, 1), tone: 'soft' },
      ];
    }),
  };
}

function strategiesOf(funnels: readonly StrategyFunnel[]): Table {
  return {
    kind: 'table',
    title: 'By strategy',
    columns: [words('strategy'), ...FUNNEL_STAGES.map(numbers)],
    rows: funnels.map((one) => [
      one.strategy,
      ...FUNNEL_STAGES.map((stage): Cell => ({ text: whole(one[stage]), key: `strategyFunnels.${one.strategy}.${stage}` })),
    ]),
  };
}
