/** Moves all but the last records of a store to its archive, a few at a time, with a commit after each move. Usage: node archive-mover.ts FOLDER */
import { openEmbeddedStore } from '../../../src/edge/embedded/embedded-store.ts';

const [folder = ''] = process.argv.slice(2);
const store = openEmbeddedStore({ folder });
const first = await store.last();
for (let seq = first + 1; store.archive!(first - 2, 20) > 0; seq++) {
  store.append({ kind: 'command', seq, time: seq, data: { n: seq, text: `record ${seq}` } });
  store.put('last', String(seq));
  await store.commit();
}
store.dropArchived!(21, 100);
await store.close();
