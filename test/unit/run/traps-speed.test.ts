/** Traps and frozen built-ins cost nothing where nobody calls them: V8 keeps no built-in as a dictionary, whose functions it looks up by name. */
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const TRAPS = new URL('../../../src/run/guard/traps.ts', import.meta.url).href;

/** In a thread, because traps stay. */
const THREAD = `
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { freezeBuiltIns, installTraps } from '${TRAPS}';
setFlagsFromString('--allow-natives-syntax');
const isFast = new Function('one', 'return %HasFastProperties(one)');
installTraps();
freezeBuiltIns();
const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const used = { Math, JSON, Number, Object, Reflect, iterator };
for (const one of [Array, Map, Set, String, Number, BigInt, Date, Object, Function, Float64Array, Int32Array]) used[one.name + '.prototype'] = one.prototype;
const isOpen = (one, key) => {
  const { writable, configurable } = Object.getOwnPropertyDescriptor(one, key);
  return writable || configurable;
};
const open = [isOpen(Math, 'random'), isOpen(Date.prototype, 'constructor')];
parentPort.postMessage({ slow: Object.keys(used).filter((name) => !isFast(used[name])), open });
`;

it('no built-in that handlers and engine use becomes slow by the traps', async () => {
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`));
  const told = await new Promise((resolve, reject) => thread.on('message', resolve).on('error', reject));
  expect(told).toEqual({ slow: [], open: [false, false] });
});
