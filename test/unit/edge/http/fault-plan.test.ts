import { describe, expect, it } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { FAULT_NAMES, FAULTS, PHASES, readFaultPlan } from '../../../../src/edge/serve/faults/fault-plan.ts';

function problems(plan: unknown): string[] {
  try {
    readFaultPlan(plan, 'plan.yaml');
  } catch (error) {
    if (error instanceof Failure) return error.problems.map(({ what, where, hint }) => [where, what, hint].filter(Boolean).join(' | '));
    throw error;
  }
  return [];
}

const rule = (given: object): object => ({ rules: [given] });

describe('a fault plan', () => {
  it('accepts every fault at each of its phases, and at no other', () => {
    const row = { endpoints: ['E12', 'E13'], msg: 'Already ordering' };
    const needed: Record<string, object> = { delay: { ms: 1 }, late: { ms: 1 }, stale: { ms: 1 }, skew: { ms: -1 }, refuse: row };
    for (const fault of FAULT_NAMES) {
      const phases: readonly string[] = FAULTS[fault].phases;
      for (const phase of PHASES) {
        const found = problems(rule({ fault, phase, ...needed[fault] }));
        expect(found.length === 0, `${fault} ${phase}: ${found.join()}`).toBe(phases.includes(phase));
      }
    }
  });

  it('has defaults for fields that a rule leaves out', () => {
    const [made] = readFaultPlan(rule({ fault: 'reset', endpoints: 'writes' }), 'x').rules;
    expect(made).toMatchObject({ phase: 'after', probability: 1, every: 1, skip: 0, count: Infinity, share: 0.5, how: 'length' });
    expect([...made!.endpoints]).toEqual(['E1', 'E2', 'E10', 'E11', 'E12', 'E13', 'E14', 'E15', 'E16']);
    expect(readFaultPlan({ rules: [] }, 'x')).toEqual({ seed: 1, rules: [] });
    expect(readFaultPlan(rule({ fault: 'empty' }), 'x').rules[0]!.endpoints.size).toBe(20);
  });

  it('applies a stale answer to reads only', () => {
    expect(readFaultPlan(rule({ fault: 'stale', ms: 5 }), 'x').rules[0]!.endpoints.size).toBe(11);
    expect(problems(rule({ fault: 'stale', ms: 5, endpoints: ['E12'] }))).toEqual([
      'plan.yaml: rule 1 | "stale" applies to reads only, but these endpoints are writes',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'plan.yaml | expected a fault plan as an object with "rules"'],
    ['no rules', {}, 'plan.yaml | "rules": expected a list of at most 200 rules'],
    ['an unknown key', { sed: 1, rules: [] }, 'plan.yaml | "sed" is not a key of a fault plan | did you mean "seed"?'],
    ['a rule that is none', { rules: [3] }, 'plan.yaml: rule 1 | expected a rule as an object, found 3'],
    ['an unknown fault', rule({ fault: 'truncated' }), '"truncated" | did you mean "truncate"?'],
    ['no fault', rule({ phase: 'after' }), '"fault" is missing'],
    ['a key of another fault', rule({ fault: 'drop', ms: 5 }), '"ms" is not a key of a rule of "drop"'],
    ['a misspelt key', rule({ fault: 'drop', propability: 1 }), 'did you mean "probability"?'],
    ['a probability above 1', rule({ fault: 'drop', probability: 1.5 }), '"probability": expected a number from 0 to 1, found 1.5'],
    ['an every of zero', rule({ fault: 'drop', every: 0 }), '"every": expected a whole number from 1 to 1000000000, found 0'],
    ['both ways of selection', rule({ fault: 'drop', every: 2, probability: 0.5 }), 'expected "probability" or "every", found both'],
    ['no row', rule({ fault: 'refuse', endpoints: ['E12'] }), '"msg" is missing'],
    [
      'a row that an endpoint does not have',
      rule({ fault: 'refuse', endpoints: ['E12', 'E14'], msg: 'Already ordering' }),
      '"msg": expected a message of the error table of E14, found "Already ordering"',
    ],
    ['a misspelt row', rule({ fault: 'refuse', endpoints: ['E12'], msg: 'Already orderin' }), 'did you mean "Already ordering"?'],
    ['no time', rule({ fault: 'delay' }), '"ms" is missing | length of the delay'],
    ['an unknown endpoint', rule({ fault: 'drop', endpoints: ['E21'] }), '"endpoints": expected a list out of all, reads, writes, E1,'],
    [
      'a phase that a fault does not have',
      rule({ fault: 'stale', ms: 1, phase: 'before' }),
      '"phase": expected answer for "stale", found "before"',
    ],
  ])('refuses %s with an explanation', (_name, plan, text) => {
    const found = problems(plan);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(text);
  });

  it('reports all errors at once', () => {
    expect(problems({ seed: -1, rules: [{ fault: 'drop', every: 0 }, { fault: 'nope' }] })).toHaveLength(3);
  });
});
