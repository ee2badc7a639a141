/** The sink of log lines: what it drops, counts and keeps, on a real pipe, a full device and a full disk. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasSmallDisk, smallDisk } from '../../support/stores/small-disk.ts';

const LOG = new URL('../../../src/edge/log/pino-log.ts', import.meta.url).href;

/** Runs `program` with `stdout` as its descriptor 1; returns what it wrote to stderr. */
function run(program: string, stdout: number | string): string {
  const code = `import { createLog, stdoutSink } from ${JSON.stringify(LOG)};\n${program}`;
  const args = ['--input-type=module', '--eval', code];
  if (typeof stdout === 'number') {
    const ran = spawnSync(process.execPath, args, { stdio: ['ignore', stdout, 'pipe'], encoding: 'utf8', timeout: 240_000 });
    return `${ran.stderr}code ${ran.status}`;
  }
  // A pipe whose reader sleeps: the shell ends it after the program.
  const shell = `{ "$0" "$@"; echo "code $?" >&2; } | ${stdout}`;
  const ran = spawnSync('sh', ['-c', shell, process.execPath, ...args], { encoding: 'utf8', timeout: 240_000 });
  return `${ran.stderr}${ran.stdout}`;
}

const LOSES = `
const log = createLog({ level: 'info', form: 'json', belowErrors: stdoutSink() });
for (let n = 0; n < 100; n++) log.info('step', { n });
console.error(JSON.stringify(log.lost));
`;

describe('a log whose stdout cannot be written', () => {
  it.skipIf(!existsSync('/dev/full'))('goes on, counts the lines, and says so on stderr', () => {
    const full = openSync('/dev/full', 'w');
    const text = run(LOSES, full);
    closeSync(full);
    const lines = text.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('code 0');
    expect(JSON.parse(lines[0]!)).toMatchObject({ event: 'log-not-written', to: 'stdout', cause: 'ENOSPC' });
    expect(JSON.parse(lines[1]!)).toMatchObject({ lines: 100, cause: 'ENOSPC', isLosing: true });
  });

  it('goes on when the reader has ended', () => {
    const text = run(`await new Promise((done) => setTimeout(done, 500));${LOSES}`, 'true');
    expect(text).toContain('code 0');
    expect(text).toContain('"lines":100,"cause":"EPIPE"');
  });

  it('does not wait for a reader that does not read, and gives it all that fits once it does', () => {
    const mark = join(mkdtempSync(join(tmpdir(), 'tickwright-sink-')), 'written');
    const program = `
      process.stdout; // The program uses the stream too, which makes the pipe non-blocking.
      const { writeFileSync } = await import('node:fs');
      const log = createLog({ level: 'info', form: 'json', belowErrors: stdoutSink() });
      const pad = 'x'.repeat(1000);
      for (let n = 0; n < 600; n++) log.info('step', { n, pad });
      writeFileSync(${JSON.stringify(mark)}, '');
      const { lines, cause } = log.lost;
      console.error(JSON.stringify({ lines, cause }));
      do {
        await new Promise((done) => setTimeout(done, 100));
        log.info('last');
      } while (log.lost.isLosing);
      console.error(JSON.stringify({ isLosing: log.lost.isLosing }));
    `;
    // It reads only after all lines were given to the log: a log that waited for it would wait for ever.
    const text = run(program, `{ while [ ! -e ${mark} ]; do sleep 0.1; done; cat; }`);
    rmSync(dirname(mark), { recursive: true });
    const { lines, cause } = JSON.parse(/^\{"lines".*$/m.exec(text)![0]) as { lines: number; cause: string };
    expect(cause).toBe('EAGAIN');
    const written = text.split('\n').filter((line) => line.includes('"event":"step"'));
    for (const line of written) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(written.length + lines, 'each line is written or counted').toBe(600);
    expect(written.length).toBeGreaterThan(200);
    expect(text).toContain('"event":"log-written-again"');
    expect(text).toContain('"event":"last"');
    expect(text).toContain('{"isLosing":false}');
  });
});

describe('a log whose reader ends while lines wait for it', () => {
  it('counts them as lost', () => {
    const mark = join(mkdtempSync(join(tmpdir(), 'tickwright-sink-')), 'given');
    const program = `
      process.stdout;
      const { writeFileSync } = await import('node:fs');
      const log = createLog({ level: 'info', form: 'json', belowErrors: stdoutSink() });
      for (let n = 0; n < 200; n++) log.info('step', { n, pad: 'x'.repeat(1000) });
      console.error('before ' + log.lost);
      writeFileSync(${JSON.stringify(mark)}, '');
      while (log.lost === null) await new Promise((done) => setTimeout(done, 100));
      console.error(JSON.stringify(log.lost));
    `;
    const text = run(program, `while [ ! -e ${mark} ]; do sleep 0.1; done`);
    rmSync(dirname(mark), { recursive: true });
    expect(text).toContain('before null');
    const { lines, cause } = JSON.parse(/^\{"lines".*$/m.exec(text)![0]) as { lines: number; cause: string };
    expect(cause).toBe('EPIPE');
    expect(lines, 'all but what the pipe itself holds').toBeGreaterThan(100);
  });
});

describe.skipIf(!hasSmallDisk('a log on a full disk'))('a log on a full disk', () => {
  it('drops what does not fit, and starts a new line once there is room', () => {
    const disk = smallDisk(128);
    try {
      const path = join(disk.folder, 'out.log');
      const out = openSync(path, 'a');
      const ballast = JSON.stringify(join(disk.folder, 'ballast'));
      disk.fill();
      const text = run(
        `import { rmSync } from 'node:fs';
        const log = createLog({ level: 'info', form: 'json', belowErrors: stdoutSink() });
        log.info('first');
        rmSync(${ballast});
        for (let n = 0; n < 3_000; n++) log.info('step', { n });
        console.error(JSON.stringify(log.lost));`,
        out,
      );
      closeSync(out);
      const { lines } = JSON.parse(/^\{"lines".*$/m.exec(text)![0]) as { lines: number };
      const written = readFileSync(path, 'utf8').split('\n');
      const whole = written.filter((line) => line.endsWith('}'));
      expect(whole.some((line) => line.includes('"event":"log-written-again"'))).toBe(true);
      expect(whole.filter((line) => line.includes('"event":"step"')).length + lines, 'each line is written or counted').toBe(3_001);
      expect(whole.length).toBeGreaterThan(500);
      expect(text).toContain('code 0');
    } finally {
      disk.remove();
    }
  });
});
