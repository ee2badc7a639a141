/** Events that arrive during a step are kept whole: the event that was handed over is used again by its sender. */
import { expect, test } from 'vitest';
import { EventQueue, newEvent, type EngineEvent } from '../../../../src/engine/event.ts';

/** An event whose every field has a value of its own. */
function filled(from: number): EngineEvent {
  const fields = Object.entries(newEvent()).map(([key, value], k) => [
    key,
    typeof value === 'number' ? from + k : typeof value === 'string' ? `${key} ${from}` : { [key]: from },
  ]);
  return Object.fromEntries(fields) as EngineEvent;
}

test('each field is copied, and the order is kept', () => {
  const queue = new EventQueue();
  const sent = newEvent();
  for (let k = 1; k <= 40; k++) {
    Object.assign(sent, filled(100 * k));
    queue.push(sent);
  }
  Object.assign(sent, newEvent());
  expect(queue.count).toBe(40);
  for (let k = 1; k <= 40; k++) expect({ ...queue.shift() }).toEqual(filled(100 * k));
});
