/**
 * `npm run soak` runs a day of a synthetic market of 50 symbols with 20 accounts that trade at random, twice, the second time with a restart
 * in the middle. It prints figures and the hash. `--seconds n`, `--seed n`, `--rate n` (market events per second and symbol), `--once`. The
 * exit code is 1 if the two hashes differ. If money is not conserved, it ends at once.
 */
import { parseArgs } from 'node:util';
import { soak, type SoakResult } from '../test/support/sim/soak.ts';

const number = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`a whole number of at least 1 was expected, found "${text}"`);
  return value;
};
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '86400' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '4' },
    once: { type: 'boolean', default: false },
  },
});
const seconds = number(values.seconds);
const spec = {
  seed: number(values.seed),
  seconds,
  symbols: 50,
  accounts: 20,
  fundingMs: 3_600_000,
  rate: number(values.rate),
  pace: 0.5,
  wildness: 20,
};

function run(restoreAt: number | undefined): SoakResult {
  const from = performance.now();
  const result = soak({ ...spec, restoreAt });
  const wall = (performance.now() - from) / 1_000;
  const megabytes = Math.round(process.memoryUsage().heapUsed / 1_048_576);
  const { hash, rows, accepted, refused, audits, counts, refusals } = result;
  const list = (of: ReadonlyMap<string, number>): string =>
    [...of]
      .map(([what, n]) => `${what} ${n.toLocaleString('en')}`)
      .toSorted()
      .join(', ');
  console.log(
    `${seconds} s of market, 50 symbols, 20 accounts, seed ${spec.seed}${restoreAt === undefined ? '' : `, restarted at ${restoreAt} s`}`,
  );
  console.log(
    `  ${rows.toLocaleString('en')} rows, ${accepted.toLocaleString('en')} commands done, ${refused.toLocaleString('en')} refused`,
  );
  console.log(`  ${list(counts)}`);
  console.log(`  refused: ${list(refusals)}`);
  console.log(`  conserved at ${audits.toLocaleString('en')} audits; ${wall.toFixed(1)} s, heap ${megabytes} MB at the end`);
  console.log(`  hash ${hash}`);
  return result;
}

const first = run(undefined);
if (!values.once) {
  const second = run(Math.ceil(seconds / 2));
  const isSame = first.hash === second.hash;
  console.log(isSame ? 'the same hash twice' : 'THE HASHES DIFFER');
  process.exitCode = isSame ? 0 : 1;
}
