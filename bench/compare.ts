/**
 * Compares live and backtest: runs exchange and bot on a recording as real processes, the same bot in a backtest, and prints every
 * difference with its cause. `npm run -s compare -- --strategy FILE --tape FOLDER [--speed 20] [--symbol S] [--param n=v]
 * [--set key=value] [--seconds N] [--rows N]`
 */
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare } from './compare/compare.ts';
import { printed } from './compare/print.ts';

const { values } = parseArgs({
  options: {
    strategy: { type: 'string' },
    tape: { type: 'string' },
    speed: { type: 'string', default: '20' },
    config: { type: 'string', default: fileURLToPath(new URL('../config/paper.yaml', import.meta.url)) },
    symbol: { type: 'string', multiple: true, default: [] },
    param: { type: 'string', multiple: true, default: [] },
    set: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: 'Infinity' },
    rows: { type: 'string', default: '40' },
  },
});
if (values.strategy === undefined || values.tape === undefined) {
  process.stderr.write('npm run -s compare -- --strategy FILE --tape FOLDER [--symbol S]\n');
  process.exit(2);
}
const comparison = await compare({
  strategy: resolve(values.strategy),
  tape: resolve(values.tape),
  speed: Number(values.speed),
  config: resolve(values.config),
  symbols: values.symbol,
  params: Object.fromEntries(values.param.map((one) => one.split('=', 2) as [string, string])),
  set: values.set,
  seconds: Number(values.seconds),
});
process.stdout.write(printed(comparison, Number(values.rows)));
