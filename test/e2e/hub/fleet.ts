/** Several bots of one user on one exchange: real processes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { addressOf, freshFolder, launch, ROOT, type Program } from '../process.ts';
import { RISK } from '../stage.ts';

const HOLDER = join(ROOT, 'test/e2e/strategies/holder.ts');

export interface Member {
  readonly name: string;
  /** Number of its account on the exchange. */
  readonly account: number;
  readonly symbol: string;
  /** Folder of the account locks. Two bots on one account have different ones. */
  readonly home?: string;
  /** More variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export class Fleet {
  readonly folder = freshFolder();
  readonly #exchange: Program;

  constructor(accounts: number) {
    const args = ['exchange', '--synth', '--seed', '7', '--port', '0', '--accounts', String(accounts)];
    this.#exchange = launch([...args, '--state', join(this.folder, 'exchange')]);
  }

  /** State folder of a bot. */
  folderOf(name: string): string {
    return join(this.folder, name);
  }

  /** Starts a bot and waits until it is armed. */
  async start(member: Member): Promise<Program> {
    const bot = await this.launch(member);
    await bot.untilLogged('armed');
    return bot;
  }

  async launch({ name, account, symbol, home, env = {} }: Member): Promise<Program> {
    const suffix = account === 1 ? '' : `-${account}`;
    const file = `${this.folderOf(name)}.yaml`;
    const configuration = {
      bot: name,
      venue: { baseUrl: await addressOf(this.#exchange) },
      limits: join(ROOT, 'config/limits.paper.json'),
      poll: { quotes: 200, trades: 500, orders: 250, positions: 250, account: 500 },
      orderHorizonMs: 2000,
      listLagMs: 2000,
      risk: RISK,
      strategies: [{ file: HOLDER, symbols: [symbol], params: { stop: 0.05 } }],
      store: { kind: 'embedded', folder: this.folderOf(name) },
    };
    writeFileSync(file, stringify(configuration));
    return launch(['run', '--config', file], {
      TICKWRIGHT_KEY: `demo-key${suffix}`,
      TICKWRIGHT_SECRET: `demo-secret${suffix}`,
      TICKWRIGHT_PASSPHRASE: `demo-pass${suffix}`,
      ...env,
      ...(home === undefined ? {} : { TICKWRIGHT_STATE_HOME: home }),
    });
  }
}
