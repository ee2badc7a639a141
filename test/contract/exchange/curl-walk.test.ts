/** docs/curl-walk.md is correct: bash and curl run it against a running exchange, and every answer is as shown. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { ENDPOINT_LIST, endpointById } from '../../../src/contract/endpoints/endpoints.ts';
import type { EndpointId } from '../../../src/contract/endpoints/endpoint.ts';
import { problemOfReply } from '../../../src/contract/schema.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { openExchange } from '../../../src/run/exchange/exchange.ts';
import { differenceOf, hasTools, runSteps, stepsOf, type Step } from '../../support/processes/shell-document.ts';
import { demoAccount, exchangeOptions } from '../../support/exchange/served-kit.ts';
import { untilTraded } from '../../support/exchange/until-traded.ts';

const document = readFileSync(new URL('../../../docs/curl-walk.md', import.meta.url), 'utf8');
const described = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Record<
    string,
    Record<string, { requestBody?: object; responses: Record<string, { content: { 'application/json': { schema: object } } }> }>
  >;
  readonly components: { readonly schemas: { readonly Error: object } };
};

/** The schema of an answer of `endpoint` in the OpenAPI document. */
function schemaOf(id: string, isSuccess: boolean): z.ZodType {
  const { path, method } = endpointById(id as EndpointId);
  const responses = described.paths[path]?.[method.toLowerCase()]?.responses;
  const success = responses?.['200']?.content['application/json'].schema;
  return z.fromJSONSchema((isSuccess ? success : described.components.schemas.Error) as Parameters<typeof z.fromJSONSchema>[0]);
}

interface Answer {
  readonly code: string;
  readonly msg: string;
  readonly data: unknown;
}

/** The query parameters of a step. */
function queryOf({ shell }: Step): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(/\?([^'"]*)['"]/.exec(shell)?.[1] ?? ''));
}

/** The parameter names of `endpoint`, in its query or anywhere in its body. */
function namesOf(id: string): Set<string> {
  const { request } = endpointById(id as EndpointId);
  const names = new Set(Object.keys(request));
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties } = value as { properties?: object };
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const part of Object.values(value)) collect(part);
  };
  const { path, method } = endpointById(id as EndpointId);
  collect(described.paths[path]?.[method.toLowerCase()]?.requestBody);
  return names;
}

describe('the walk', () => {
  it('covers every endpoint, and shows an answer for every request', () => {
    const steps = stepsOf(document);
    expect([...new Set(steps.map((step) => step.endpoint))].toSorted()).toEqual(['', ...ENDPOINT_LIST.map((e) => e.id)].toSorted());
    for (const step of steps) {
      expect([step.heading, step.shown === null]).toEqual([step.heading, step.endpoint === '']);
      if (step.endpoint === '') continue;
      const { method, path, auth } = endpointById(step.endpoint as EndpointId);
      expect(step.shell).toContain(path);
      expect(step.shell).toMatch(auth ? new RegExp(`signed ${method} `) : /public /);
    }
  });

  it('uses no parameter that its endpoint does not read', () => {
    for (const { heading, endpoint, shell } of stepsOf(document)) {
      if (endpoint === '') continue;
      const said = [...shell.matchAll(/[{,]\s*"(\w+)":/g), ...shell.matchAll(/[?&](\w+)=/g)].map(([, name]) => name!);
      expect([heading, said.filter((name) => !namesOf(endpoint).has(name))]).toEqual([heading, []]);
    }
  });

  it.skipIf(!hasTools('the curl walk', 'bash', 'curl', 'openssl'))('gets the answers that it shows', async () => {
    const accounts = [{ ...demoAccount(0), deposits: defaultConfig().simulation.deposits }];
    const exchange = await openExchange(exchangeOptions({ accounts }), createLog({ level: 'silent', form: 'json' }));
    try {
      await untilTraded(exchange);
      const steps = stepsOf(document.replace('http://127.0.0.1:8420', exchange.url));
      const answers = await runSteps(steps);
      expect(answers).toHaveLength(steps.length);
      for (const [k, step] of steps.entries()) {
        const text = answers[k] ?? '';
        if (step.endpoint === '') {
          expect(text).toBe('');
          continue;
        }
        const answer = JSON.parse(text) as Answer;
        const shown = step.shown as Answer;
        expect([step.heading, answer.code, answer.msg]).toEqual([step.heading, shown.code, shown.msg]);
        expect([step.heading, differenceOf(shown, answer)]).toEqual([step.heading, '']);
        const isSuccess = answer.code === '00000';
        expect([step.heading, schemaOf(step.endpoint, isSuccess).safeParse(answer).error?.message]).toEqual([step.heading, undefined]);
        if (!isSuccess) continue;
        expect(problemOfReply(endpointById(step.endpoint as EndpointId), answer.data, queryOf(step))).toBeNull();
      }
    } finally {
      await exchange.close();
    }
  });
});

describe('a wrong walk', () => {
  it('is detected by word, form, length and missing parts', () => {
    const shown = { code: '00000', data: [{ side: 'BUY', status: 'NEW', price: '60000.10', more: { of: 1 } }] };
    const like = (change: object): string => differenceOf(shown, { code: '00000', data: [{ ...shown.data[0], ...change }], extra: 1 });
    expect(like({ price: '1.2', side: 'SELL', more: { of: 7, further: 1 } })).toBe('');
    expect(like({ status: 'FILLED' })).toContain('answer.data[0].status');
    expect(like({ price: 60_000 })).toContain('price');
    expect(like({ price: '' })).toContain('price');
    expect(like({ more: undefined })).toContain('more');
    expect(differenceOf(shown, { code: '00000', data: [] })).toContain('0 entries');
    expect(differenceOf({ data: [] }, { data: [1] })).toContain('1 entries');
    expect(differenceOf({ data: null }, { data: [] })).toContain('data');
  });

  it('stops at the first failing command, and treats any text on stderr as a failure', async () => {
    const step = (shell: string): Step => ({ heading: '', endpoint: '', shell, shown: null });
    expect(await runSteps([step('A=1\n'), step('echo "a $A"\n')])).toEqual(['', 'a 1']);
    await expect(runSteps([step('false\n'), step('echo late\n')])).rejects.toThrow(/bash ended with 1/);
    await expect(runSteps([step('echo "$NOBODY_SET_THIS"\n')])).rejects.toThrow(/unbound/);
    await expect(runSteps([step('echo oh >&2\n')])).rejects.toThrow(/oh/);
  });

  it('does not pass the schemas of the document', () => {
    const order = { orderId: 'fu-1', clientOid: 'a' };
    const answer = { code: '00000', msg: 'success', requestTime: 1, data: order };
    expect(schemaOf('E12', true).safeParse(answer).success).toBe(true);
    for (const wrong of [
      { ...answer, code: '1' },
      { ...answer, data: null },
      { ...answer, data: { orderId: 1, clientOid: 'a' } },
    ]) {
      expect(schemaOf('E12', true).safeParse(wrong).success).toBe(false);
    }
  });
});
