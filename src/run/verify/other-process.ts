/** Runs the strategies in another process, with another time zone and language, and returns what they decided there. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../base/failure/failure.ts';
import { ownModule } from '../../base/own-module.ts';
import type { Decision } from './decision-lines.ts';
import type { VerifyOptions } from './verified-strategy.ts';

/** Fourteen hours ahead of UTC; a language with its own rules for upper case and a comma in numbers. */
const ELSEWHERE = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

/** @throws Failure if the process fails */
export async function otherProcess(options: VerifyOptions): Promise<readonly Decision[]> {
  const child = spawn(process.execPath, [fileURLToPath(ownModule(new URL('./child-process.ts', import.meta.url)))], {
    env: { ...process.env, ...ELSEWHERE },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const texts = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.error += text));
  child.stdin.end(JSON.stringify(options));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) {
    throw new Failure('verify-process', { what: `the other process ended with ${code}: ${texts.error.trim().split('\n').at(-1) ?? ''}` });
  }
  return JSON.parse(texts.out) as Decision[];
}
