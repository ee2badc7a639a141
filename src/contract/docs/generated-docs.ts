/** The generated files of docs/reference that describe the interface, by name. The generator writes them; a test compares them. */
import { assumptionsPage, endpointsPage, errorsPage } from './interface-pages.ts';
import { externalPage } from './external-docs.ts';
import { limitsPage } from './limits-docs.ts';
import { openapi } from './exchange-openapi.ts';

export function generatedDocs(): Readonly<Record<string, string>> {
  return {
    'endpoints.md': endpointsPage(),
    'errors.md': errorsPage(),
    'assumptions.md': assumptionsPage(),
    'limits.md': limitsPage(),
    'external-events.md': externalPage(),
    'openapi.json': `${JSON.stringify(openapi(), null, 2)}\n`,
  };
}
