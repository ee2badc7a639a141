/**
 * More seeds for the judges of the solver: node test/evidence/run.ts worlds | legs | simulation [from] [count]
 */
import { compareInSimulation, compareWithEveryWorld, compareWithTruth } from './judge.ts';

const judges = { worlds: compareWithEveryWorld, legs: compareWithTruth, simulation: compareInSimulation } as const;
const [name = '', from = '1', count = '1000'] = process.argv.slice(2);
if (!(name in judges)) throw new Error(`expected worlds, legs or simulation, found "${name}"`);
const result = await judges[name as keyof typeof judges](Number(from), Number(count));
console.log(result);
process.exitCode = result.unsound.length > 0 ? 1 : 0;
