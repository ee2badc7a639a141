/** Writes the pages of docs/reference that are generated from tables: `npm run docs`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configurationPage } from '../config/docs/config-pages.ts';
import { configurationSchema } from '../config/docs/json-schema.ts';
import { generatedDocs } from '../contract/docs/generated-docs.ts';
import { controlOpenApi } from '../control/control-openapi.ts';
import { withArchives } from './pages/archives-table.ts';
import { commandsPage } from './pages/commands-page.ts';
import { controlPage } from './pages/control-page.ts';
import { logEventsPage } from './pages/log-events-page.ts';
import { exitCodesPage } from './pages/exit-codes-page.ts';
import { failuresPage } from './pages/failures-page.ts';
import { grafanaBoard, prometheusRules } from '../monitor/metrics/prometheus-files.ts';
import { faultsAndAdminPage } from '../run/exchange/faults-and-admin-page.ts';
import { indicatorPages } from './pages/indicator-pages.ts';
import { monitorOpenApi, monitorPage } from './pages/monitor-page.ts';
import { metricsPage } from './pages/metrics-page.ts';
import { tablesPage } from './pages/tables-page.ts';
import { tapeFormatsPage } from './pages/tape-formats-page.ts';
import { webhooksPage } from './pages/webhooks-page.ts';
import { alertsPage, prometheusPage } from './pages/watch-pages.ts';

const pages = {
  ...generatedDocs(),
  ...indicatorPages(),
  'exit-codes.md': exitCodesPage(),
  'failures.md': failuresPage(),
  'faults-and-admin.md': faultsAndAdminPage(),
  'configuration.md': configurationPage(),
  'config.schema.json': `${JSON.stringify(configurationSchema(), null, 2)}\n`,
  'commands.md': await commandsPage(),
  'control.md': controlPage(),
  'monitor.md': monitorPage(),
  'monitor.json': `${JSON.stringify(monitorOpenApi(), null, 2)}\n`,
  'metrics.md': metricsPage(),
  'alerts.md': alertsPage(),
  'webhooks.md': webhooksPage(),
  'prometheus.md': prometheusPage(),
  'prometheus-rules.yml': prometheusRules(),
  'grafana-board.json': grafanaBoard(),
  'tables.md': tablesPage(),
  'tape-formats.md': tapeFormatsPage(),
  'log-events.md': logEventsPage(),
  'control.json': `${JSON.stringify(controlOpenApi(), null, 2)}\n`,
};
const folder = fileURLToPath(new URL('../../docs/reference/', import.meta.url));
mkdirSync(`${folder}indicators/charts`, { recursive: true });
for (const [name, text] of Object.entries(pages)) {
  writeFileSync(folder + name, text);
  process.stdout.write(`docs/reference/${name}\n`);
}

const data = fileURLToPath(new URL('../../docs/data.md', import.meta.url));
writeFileSync(data, withArchives(readFileSync(data, 'utf8')));
