/**
 * Runs worlds by number: `npm run fuzz:faults -- [runs] [first] [short | copies]`. With `short`, schedules of a few seconds with triggers and
 * up to three symbols; with `copies`, the first answers after each start of the bot are copies of old ones. Prints each world with an error, and the total; ends with 1 if there was one.
 */
import { copiesOf, judge, scheduleOf, worldOf } from '../support/faults/fault-verdict.ts';

const [runs = 1_000, first = 1] = process.argv.slice(2, 4).map(Number);
const make = process.argv[4] === 'short' ? scheduleOf : process.argv[4] === 'copies' ? copiesOf : worldOf;
const sum = { worlds: 0, wrong: 0, placed: 0, filled: 0, undecided: 0 };
for (let seed = first; seed < first + runs; seed++) {
  const { problems, placed, filled, undecided } = judge(make(seed));
  sum.worlds++;
  sum.placed += placed;
  sum.filled += filled;
  sum.undecided += undecided;
  if (problems.length > 0) {
    sum.wrong++;
    console.log(`world ${seed}: ${problems.join('; ')}`);
  }
  if (sum.worlds % 5_000 === 0) console.log(JSON.stringify(sum));
}
console.log(JSON.stringify(sum));
process.exitCode = sum.wrong > 0 ? 1 : 0;
