/**
 * Every field of the interface's records over HTTP: it has its type and the value computed by hand. Each record is shown in scenes that
 * differ in every field, so that a constant cannot pass. Fields with a fixed value in the interface are listed.
 */
import { describe, expect, it } from 'vitest';
import { ENDPOINT_LIST } from '../../../src/contract/endpoints/endpoints.ts';
import { START, startExchange, type KitOptions, type TestExchange } from '../../support/exchange/exchange-kit.ts';
import { SECTIONS, type Section } from './interface-scenes.ts';
import { RECORDS } from './interface-table.ts';

const fieldsOf = (section: Section): { name: string; type: string }[] =>
  section.fields
    .trim()
    .split(/\s+/)
    .map((word) => word.split(':') as [string, string])
    .map(([name, type]) => ({ name, type }));

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

async function withExchange<T>(options: KitOptions | undefined, work: (x: TestExchange) => Promise<T>): Promise<T> {
  const x = await startExchange(options);
  try {
    return await work(x);
  } finally {
    await x.close();
  }
}

describe('every field', () => {
  for (const [name, section] of Object.entries(SECTIONS)) {
    describe(`of §${name}`, () => {
      it.each(section.scenes.map((scene, k) => [k + 1, scene] as const))(
        'has its type and the value computed by hand, scene %i',
        async (_k, scene) => {
          await withExchange(scene.options, async (x) => {
            const shown = await scene.shown(x);
            const listed = fieldsOf(section);
            expect(Object.keys(shown).sort()).toEqual(listed.map((field) => field.name).sort());
            for (const field of listed) {
              const types = name === '2.1' && field.name === 'data' ? ['object', 'array', 'null'] : [field.type];
              expect(types, field.name).toContain(typeOf(shown[field.name]));
            }
            expect(shown).toEqual(scene.computed(x));
          });
        },
      );

      it('appears with more than one value, unless the interface fixes it', async () => {
        const records = await Promise.all(section.scenes.map((scene) => withExchange(scene.options, async (x) => scene.computed(x))));
        const constant = fieldsOf(section).filter(
          (field) => new Set(records.map((record) => JSON.stringify(record[field.name]))).size === 1,
        );
        expect(constant.map((field) => field.name).sort()).toEqual([...(section.fixed ?? [])].sort());
      });
    });
  }

  it('of the listed records is tested here, or named with its test elsewhere', () => {
    const elsewhere = ['2.9', '2.10', '2.11', '2.12'];
    expect(
      Object.keys(RECORDS)
        .filter((name) => !Object.hasOwn(SECTIONS, name))
        .sort(),
    ).toEqual(elsewhere.sort());
    expect(Object.values(SECTIONS).flatMap(fieldsOf).length).toBeGreaterThan(90);
  });

  it('of the envelope is present on all 20 endpoints, on success and on refusal', async () => {
    await withExchange({}, async (x) => {
      for (const { name, auth } of ENDPOINT_LIST) {
        for (const caller of auth ? [undefined, null] : [undefined]) {
          const { body } = await x.call(name as never, {}, caller === null ? { as: null } : {});
          expect(Object.keys(body)).toEqual(['code', 'msg', 'requestTime', 'data']);
          expect([typeof body.code, typeof body.msg, body.requestTime]).toEqual(['string', 'string', START]);
        }
      }
    });
  });
});
