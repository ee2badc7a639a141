/**
 * Every field of the interface's records, proven over HTTP: it is there with its type and has the value that a person reckons. A
 * record is shown in scenes that differ in every field, so that no constant passes; what the interface fixes itself is named.
 */
import { describe, expect, it } from 'vitest';
import { ENDPOINT_LIST } from '../../src/contract/endpoints/endpoints.ts';
import { START, startExchange, type KitOptions, type TestExchange } from '../support/exchange-kit.ts';
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
        'has its type and the value that was reckoned, scene %i',
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

      it('is shown with more than one value, but for what the interface fixes', async () => {
        const records = await Promise.all(section.scenes.map((scene) => withExchange(scene.options, async (x) => scene.computed(x))));
        const constant = fieldsOf(section).filter(
          (field) => new Set(records.map((record) => JSON.stringify(record[field.name]))).size === 1,
        );
        expect(constant.map((field) => field.name).sort()).toEqual([...(section.fixed ?? [])].sort());
      });
    });
  }

  it('of the listed records has its proof; those that are proven elsewhere are named', () => {
    const elsewhere = ['2.9', '2.10', '2.11', '2.12'];
    expect(
      Object.keys(RECORDS)
        .filter((name) => !Object.hasOwn(SECTIONS, name))
        .sort(),
    ).toEqual(elsewhere.sort());
    expect(Object.values(SECTIONS).flatMap(fieldsOf).length).toBeGreaterThan(90);
  });

  it('of the envelope is there on all twenty endpoints, on success and on refusal', async () => {
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
