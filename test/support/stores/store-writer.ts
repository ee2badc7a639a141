/**
 * A process that commits for ever and prints each position once it is durable, for tests that kill it. If a commit fails, it prints the
 * error code, then the code of one more attempt, and ends. Usage: node store-writer.ts embedded <folder> | redis <url> <prefix>
 */
import { writeSync } from 'node:fs';
import { openEmbeddedStore } from '../../../src/edge/embedded/embedded-store.ts';
import { openRedisStore } from '../../../src/edge/redis/redis-store.ts';
import { StoreError, type Store } from '../../../src/ports/store.ts';

const [kind = '', place = '', prefix = ''] = process.argv.slice(2);
const store =
  kind === 'embedded' ? openEmbeddedStore({ folder: place }) : await openRedisStore({ url: place, prefix, leaseMs: 600, timeoutMs: 600 });
const first = (await store.last()) + 1;

try {
  for (let seq = first; ; seq++) writeSync(1, `${await commitOne(store, seq)}\n`);
} catch (error) {
  writeSync(1, `fault ${codeOf(error)}\n`);
  const again = await commitOne(store, 0).then(String, codeOf);
  writeSync(1, `again ${again}\n`);
  await store.close();
  process.exit(0);
}

async function commitOne(target: Store, seq: number): Promise<number> {
  const position = target.append({ kind: 'command', seq, time: seq, data: { text: 'x'.repeat(seq % 700), seq } });
  target.put('seq', String(position));
  await target.commit();
  return position;
}

function codeOf(error: unknown): string {
  return error instanceof StoreError ? error.code : String(error);
}
