/**
 * The files of config/container say what is there: commands, flags, variables, paths, users, ports, versions; and the health check tells a bot that
 * lives from one that hangs. `npm run container` builds the image with docker or podman and runs it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { completedCommands } from '../../../src/cli/completion/completed-command.ts';
import { isPatchedNode } from '../../../src/cli/shell/node-version.ts';
import { COMMANDS } from '../../../src/cli/table/command-rows.ts';
import { RESERVED_VARIABLES } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { RedisClient } from '../../../src/edge/redis/redis-client.ts';
import { canConfirm, readFacts, risksOf } from '../../../src/edge/redis/safety.ts';
import { stateFolder } from '../../../src/run/setup/state-folder.ts';
import { clean } from '../../support/processes/packed.ts';
import { hasRedis, startRedis } from '../../support/stores/redis.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const textAt = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = textAt('config/container/Dockerfile');
const compose = parse(textAt('config/container/compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const { services } = compose;
const serviceOf = (name: string): Service => services[name]!;
/** The JSON list that follows an instruction. */
const listOf = (instruction: string): string[] =>
  JSON.parse(new RegExp(`^${instruction} (?:.* CMD )?(\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '') as string[];
const isOwn = ({ image }: Service): boolean => image === 'tickwright-bot';

describe('the image', () => {
  it('has a Node.js that is fit for live trading, in both stages', () => {
    const version = /^ARG NODE=(.+)$/m.exec(dockerfile)?.[1] ?? '';
    expect(isPatchedNode(version)).toBe(true);
    expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual(Array(2).fill('node:${NODE}-slim'));
  });

  it('starts the program where npm puts it, with tini as process 1, and limits its heap', () => {
    const program = '/srv/bot/node_modules/tickwright/dist/tickwright.js';
    expect(listOf('ENTRYPOINT')).toEqual(['tini', '--', 'node', expect.stringMatching(/^--max-old-space-size=\d+$/), program]);
    expect(dockerfile).toContain(`ln -s ${program} /usr/local/bin/tickwright`);
    expect(dockerfile).toMatch(/^WORKDIR \/srv\/bot$(?![\s\S]*^WORKDIR)/m);
    const heap = Number(/=(\d+)/.exec(listOf('ENTRYPOINT')[3]!)?.[1]);
    expect(serviceOf('bot')['mem_limit']).toBe(`${2 * heap}m`);
  });

  it('runs as a user of its own, copies nothing of the project but its packages, and runs no script of a package', () => {
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
    expect(dockerfile).toContain('--uid 10001');
    expect([...dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm)].map(([, what]) => what)).toEqual([
      'package.json package-lock.json *.tgz ./',
    ]);
    const sent = textAt('config/container/Dockerfile.dockerignore').trim().split('\n');
    expect(sent).toEqual(['*', '!package.json', '!package-lock.json', '!*.tgz']);
    expect(dockerfile).toMatch(/npm ci .*--ignore-scripts/);
  });
});

describe('the services', () => {
  it('give keys and the state of the bot to what is the bot alone', () => {
    const having = (part: string): string[] =>
      Object.keys(services).filter((name) => (services[name]!.volumes ?? []).some((volume) => volume.includes(part)));
    expect(having('/keys')).toEqual(['bot', 'watchdog']);
    // The token of the metrics is in the state.
    expect(having('state:')).toEqual(['bot', 'watchdog', 'prometheus']);
  });

  it('are hardened, of exact versions, and restart', () => {
    for (const [name, service] of Object.entries(services)) {
      const hardened = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], restart: 'unless-stopped' };
      expect(service, name).toMatchObject(hardened);
      if (!isOwn(service)) expect(service.image, name).toMatch(/^[\w/]+:v?\d+\.\d+\.\d+$/);
      for (const other of Object.keys(service.depends_on ?? {})) expect(services, name).toHaveProperty(other);
    }
  });

  it('share one network, of which this machine alone reaches two ports', () => {
    const [net, ...others] = [serviceOf('net'), ...Object.values(services).filter((one) => one !== services['net'])];
    expect(others.map(({ network_mode: mode, ports }) => [mode, ports])).toEqual(others.map(() => ['service:net', undefined]));
    expect(net.ports).toEqual(['127.0.0.1:9090:9090', '127.0.0.1:3000:3000']);
  });

  it('type commands and flags of the program, and variables of its configuration', () => {
    const known = completedCommands(COMMANDS);
    const lines = [
      listOf('CMD'),
      listOf('HEALTHCHECK').slice(1),
      ...Object.values(services)
        .filter(isOwn)
        .map(({ command }) => command ?? ['start']),
    ];
    for (const [word, ...rest] of lines) {
      const flags = known.find(({ name }) => name === word)?.flags.flatMap(({ words }) => words) ?? [];
      expect(known.map(({ name }) => name)).toContain(word);
      expect(
        rest.filter((one) => one.startsWith('-') && !flags.includes(one)),
        word,
      ).toEqual([]);
    }
    const set = /^ENV (.*)$/m
      .exec(dockerfile)![1]!
      .split(' ')
      .map((pair) => pair.split('=')[0]!);
    expect(set.filter((name) => name.startsWith('TICKWRIGHT_') && !RESERVED_VARIABLES.includes(name))).toEqual([]);
    expect(() => configOf({ TICKWRIGHT_STORE_KIDN: 'redis' })).toThrow('TICKWRIGHT_STORE_KIDN');
  });

  it('mount what the package or the project has', () => {
    for (const [name, { volumes = [] }] of Object.entries(services))
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (!source.startsWith('.')) expect(compose.volumes, name).toHaveProperty(source);
        else if (source.startsWith('./')) expect(existsSync(join(ROOT, 'config/container', source)), source).toBe(true);
        else if (source.includes('node_modules')) expect(existsSync(join(ROOT, source.split('tickwright/')[1]!)), source).toBe(true);
        else expect(['../config', '../strategies', '../keys']).toContain(source);
        if (source.startsWith('.')) expect(volume).toMatch(/:ro$/);
      }
    const { build } = serviceOf('bot');
    expect(posix.join('config/container', build!.context, build!.dockerfile)).toBe('config/container/Dockerfile');
  });

  it('give Prometheus the token of the example, its port, and the user who may read it', () => {
    const environment = serviceOf('bot').environment!;
    const config = configOf(environment);
    const { scrape_configs: jobs } = parse(textAt('config/container/prometheus.yml')) as { scrape_configs: Record<string, any>[] };
    const token = posix.join('/srv/bot/config', posix.relative(join(ROOT, 'config'), stateFolder(config)), 'metrics.token');
    expect(jobs[0]!['authorization'].credentials_file).toBe(token);
    expect(jobs[0]!['static_configs'][0].targets).toEqual([`127.0.0.1:${config.monitor.port}`]);
    expect(serviceOf('prometheus').user).toBe('10001:10001');
    // Its volume is first mounted by a service of that user, at a folder of that user, and keeps the owner.
    expect(serviceOf('prometheus').volumes).toContain('metrics:/prometheus:nocopy');
    expect(serviceOf('net').volumes).toEqual(['metrics:/srv/bot/var']);
    expect(serviceOf('prometheus').depends_on).toHaveProperty('net');
    const { datasources } = parse(textAt('config/container/grafana/source.yaml')) as { datasources: { url: string }[] };
    expect(datasources[0]!.url).toBe('http://127.0.0.1:9090');
    const { providers } = parse(textAt('config/container/grafana/boards.yaml')) as { providers: { options: { path: string } }[] };
    expect(serviceOf('grafana').volumes!.some((one) => one.includes(`:${providers[0]!.options.path}/`))).toBe(true);
  });

  it.skipIf(!hasRedis('the Redis of the compose file'))('have a Redis that keeps what it confirms', async () => {
    const [program, ...words] = serviceOf('redis').command!;
    const settings = Object.fromEntries(words.flatMap((word, k) => (k % 2 === 0 ? [[word.replace(/^--/, ''), words[k + 1]!]] : [])));
    const { bind, ...others } = settings;
    expect([program, bind, Object.keys(others)]).toEqual([
      'redis-server',
      '127.0.0.1',
      ['appendonly', 'appendfsync', 'maxmemory-policy', 'save'],
    ]);
    const redis = await startRedis(others);
    const client = new RedisClient({ url: redis.url, timeoutMs: 5_000 });
    try {
      const facts = await readFacts(client);
      expect(risksOf(facts)).toEqual([]);
      expect(facts.sync === 'always' || canConfirm(facts)).toBe(true);
    } finally {
      client.close();
      await redis.remove();
    }
  });
});

/** The example of a live configuration with these variables. */
function configOf(environment: Readonly<Record<string, string>>): ReturnType<typeof loadConfig>['config'] {
  const keys = { TICKWRIGHT_KEY: 'key', TICKWRIGHT_SECRET: 'secret', TICKWRIGHT_PASSPHRASE: 'passphrase' };
  return loadConfig({ file: join(ROOT, 'config/live.example.yaml'), env: { ...environment, ...keys }, set: [] }).config;
}

describe('the health check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-container-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gives 0 for the bot of the image, 8 if it hangs, 6 without one', async () => {
    const program = join(ROOT, 'src/tickwright.js');
    const env = { ...clean(), NO_COLOR: '1', TICKWRIGHT_STATE_HOME: join(folder, 'host'), TICKWRIGHT_MONITOR_ENABLED: 'never' };
    const [word, ...args] = listOf('HEALTHCHECK');
    expect(word).toBe('tickwright');
    const health = (): number | null => spawnSync(process.execPath, [program, ...args], { cwd: folder, env }).status;
    expect(health()).toBe(6);
    const bot = spawn(process.execPath, [program, ...listOf('CMD')], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(bot, 'close');
    try {
      let said = '';
      bot.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
      while (!said.includes('"event":"armed"') && bot.exitCode === null) await sleep(20);
      expect(health()).toBe(0);
      bot.kill('SIGSTOP');
      expect(health()).toBe(8);
      bot.kill('SIGCONT');
      bot.kill('SIGTERM');
      expect([0, 3]).toContain((await ended)[0]);
    } finally {
      bot.kill('SIGKILL');
    }
  });
});
