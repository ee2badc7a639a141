/**
 * How long others wait for the paper exchange while 300 callers have sent 30 requests for 1,000 trades each, in milliseconds of the CPU of
 * the exchange. `node bench/flood.ts` prints the longest wait of ten runs for each way to treat the answers, after runs that compile the code.
 */
import { spawn } from 'node:child_process';
import { Client } from 'undici';
import { ENDPOINTS } from '../src/contract/endpoints/endpoints.ts';
import { longestWait, READERS } from '../test/support/exchange/pipelined-flood.ts';

const WARM = 3;
const RUNS = 10;

const child = spawn(process.execPath, ['src/tickwright.js', 'exchange', '--synth', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
let text = '';
for await (const chunk of child.stdout) {
  text += String(chunk);
  if (/127\.0\.0\.1:\d+/.test(text)) break;
}
const port = Number(/127\.0\.0\.1:(\d+)/.exec(text)![1]);
const other = new Client(`http://127.0.0.1:${port}`);
const ask = async (): Promise<unknown> =>
  (await other.request({ method: 'GET', path: `${ENDPOINTS.bookTickers.path}?symbol=BTCUSDT` })).body.text();
try {
  for (const [how, read] of Object.entries(READERS)) {
    const waits: number[] = [];
    for (let run = 0; run < WARM + RUNS; run++) waits.push(await longestWait({ port, pid: child.pid!, read, ask }));
    process.stdout.write(`${JSON.stringify({ how, longest: Math.round(Math.max(...waits.slice(WARM))) })}\n`);
  }
} finally {
  await other.destroy();
  child.kill('SIGKILL');
}
