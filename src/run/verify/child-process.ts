/** The other process of `verify`: reads options from stdin, runs the strategies once, writes what they decided to stdout. */
import { text } from 'node:stream/consumers';
import { guardStrategies } from '../guard/guard.ts';
import { Subject, type VerifyOptions } from './verified-strategy.ts';

const options = JSON.parse(await text(process.stdin)) as VerifyOptions;
guardStrategies(options.config, { isLive: false });
process.stdout.write(JSON.stringify((await Subject.open(options)).whole().decisions));
