/** Parameters of the strategies, and the configuration of the run; with another run, those that differ are marked. */
import type { RunReport } from '../../run-report.ts';
import type { Cell, Section } from '../document.ts';
import { whole } from '../figures.ts';
import { numbers } from '../text-table.ts';

export function settingsSection({ parameters, config, performance }: RunReport, other?: RunReport): Section {
  const rows = parameters.map(({ strategy, name, value }): Cell[] => {
    if (other === undefined) return [strategy, name, value];
    const beside = other.parameters.find((one) => one.strategy === strategy && one.name === name)?.value ?? '';
    const tone = beside === value ? '' : 'differs';
    return [strategy, name, value, beside === '' ? '–' : beside].map((text) => ({ text, tone }));
  });
  return {
    id: 'settings',
    link: 'Parameters',
    title: 'Parameters',
    words: performance.rows === 0 ? '' : `${whole(performance.rowsPerSecond)} rows a second`,
    blocks: [
      {
        kind: 'table',
        columns: [{ title: 'strategy' }, { title: 'parameter' }, numbers('value'), ...(other === undefined ? [] : [numbers('other run')])],
        rows,
      },
      { kind: 'folded', title: 'The whole configuration of the run', content: { kind: 'code', text: JSON.stringify(config, null, 2) } },
    ],
  };
}
