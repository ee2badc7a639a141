import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ASSUMPTIONS } from '../../../src/contract/assumptions.ts';
import { ENDPOINT_LIST } from '../../../src/contract/endpoints/endpoints.ts';
import { generatedDocs } from '../../../src/contract/docs/generated-docs.ts';
import { openapi } from '../../../src/contract/docs/exchange-openapi.ts';
import { installed } from '../../support/processes/installed.ts';
import { sampleRequest } from '../../../src/contract/docs/samples.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** All values of a key, anywhere in a document. */
function valuesOf(document: unknown, key: string): unknown[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}

describe('generated documents', () => {
  it('name the port of the exchange, and no enum whose values differ only in case', () => {
    const document = openapi();
    expect(document['servers']).toEqual([{ url: 'http://127.0.0.1:8420' }]);
    const enums = valuesOf(document, 'enum').filter((one) => Array.isArray(one));
    expect(enums.length).toBeGreaterThan(10);
    for (const values of enums) {
      const names = values.map((value: unknown) => String(value).toLowerCase());
      expect(new Set(names).size, names.join(' ')).toBe(names.length);
    }
  });

  it.each(Object.entries(generatedDocs()))('docs/reference/%s is up to date (if not: npm run docs)', (name, text) => {
    expect(readFileSync(join(root, 'docs/reference', name), 'utf8') === text).toBe(true);
  });

  it('link to existing places', () => {
    const docs = generatedDocs();
    const anchors = new Set(
      [...(docs['endpoints.md'] ?? '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    const links = Object.values(docs).flatMap((text) => [...text.matchAll(/\]\((?:endpoints\.md)?#([^)]+)\)/g)].map(([, to]) => to));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((to) => !anchors.has(to ?? ''))).toEqual([]);
  });
});

const DOCUMENT = readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8');

describe('the OpenAPI document', () => {
  const document = openapi() as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const operations = ENDPOINT_LIST.map((e) => ({ endpoint: e, operation: document.paths[e.path]?.[e.method.toLowerCase()] }));

  it('has the 20 operations and no others', () => {
    expect(Object.values(document.paths).flatMap((methods) => Object.keys(methods))).toHaveLength(20);
    expect(operations.map(({ operation }) => operation?.['operationId'])).toEqual(ENDPOINT_LIST.map((e) => e.name));
  });

  it('shows whether each parameter is required', () => {
    for (const { endpoint, operation } of operations) {
      const required = Object.entries(endpoint.request)
        .filter(([, f]) => f.presence === 'required')
        .map(([name]) => name);
      if (endpoint.method === 'GET') {
        const parameters = operation?.['parameters'] as { name: string; required: boolean }[];
        expect(parameters.map((p) => p.name)).toEqual(Object.keys(endpoint.request));
        expect(parameters.filter((p) => p.required).map((p) => p.name)).toEqual(required);
      } else {
        const body = operation?.['requestBody'] as { content: Record<string, { schema: { required: string[] }; example: unknown }> };
        expect(body.content['application/json']?.schema.required).toEqual(required);
        expect(body.content['application/json']?.example).toEqual(sampleRequest(endpoint));
      }
    }
  });

  it('resolves all references and requires the four headers on signed endpoints', () => {
    const text = JSON.stringify(document);
    for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect(found, path).toBeDefined();
    }
    for (const { endpoint, operation } of operations) {
      const expected = endpoint.auth ? [{ key: [], sign: [], passphrase: [], timestamp: [] }] : [];
      expect(operation?.['security']).toEqual(expected);
    }
  });
});

/** The used part of the validator's interface. */
interface ValidatorPackage {
  readonly Validator: new () => {
    validate(document: object): Promise<{ valid: boolean; errors?: unknown }>;
    readonly version: string;
  };
}
const judge = await installed<ValidatorPackage>('@seriousme/openapi-schema-validator');

describe.skipIf(judge === null)('the OpenAPI document before an independent validator', () => {
  it('is valid as stored in docs/reference', async () => {
    const validator = new judge!.Validator();
    expect(await validator.validate(JSON.parse(DOCUMENT) as object)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('is invalid with a response without a description or a parameter without a place', async () => {
    const responses = DOCUMENT.replace('"description": "Success",', '');
    const place = DOCUMENT.replace('"in": "query"', '"in": "nowhere"');
    for (const broken of [responses, place]) {
      expect(broken).not.toBe(DOCUMENT);
      expect((await new judge!.Validator().validate(JSON.parse(broken) as object)).valid).toBe(false);
    }
  });
});

describe('the folder src/contract', () => {
  const importsOf = (file: string): string[] =>
    [...readFileSync(file, 'utf8').matchAll(/^import (?!type )[^;]*?from '([^']+)';/gms)].map(([, from = '']) => from);
  const contract = sources(join(root, 'src/contract'));

  it('imports only itself, domain, base and zod', () => {
    for (const file of contract) {
      for (const from of [...readFileSync(file, 'utf8').matchAll(/from '([^']+)';/g)].map(([, name = '']) => name)) {
        const place = from.startsWith('.') ? relative(root, join(dirname(file), from)) : from;
        expect(place, `${relative(root, file)} imports ${from}`).toMatch(/^(src\/(contract|domain|base)\/|zod$)/);
      }
    }
  });

  it('loads no zod in the client’s readers, writers and classifier', () => {
    const seen = new Set<string>();
    const walk = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const from of importsOf(file)) {
        expect(from, relative(root, file)).not.toBe('zod');
        if (from.startsWith('.')) walk(join(dirname(file), from));
      }
    };
    for (const name of ['endpoints/endpoints', 'classify', 'read-answer', 'encode-params', 'envelope', 'assumptions', 'docs/samples']) {
      walk(join(root, 'src/contract', `${name}.ts`));
    }
    expect(seen.size).toBeGreaterThan(15);
  });

  it('refers only to assumptions in the register, and the register to existing places', () => {
    const known = new Set(ASSUMPTIONS.map((a) => a.id));
    const named = sources(join(root, 'src')).flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\(([^()]*\bA\d\d\b[^()]*)\)/g)]);
    const ids = named.flatMap(([, text = '']) => text.match(/\bA\d\d\b/g) ?? []);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
    for (const { id, where } of ASSUMPTIONS) expect(existsSync(join(root, where)), `${id}: ${where}`).toBe(true);
  });
});
