/** Tags by their place in a ring, beside a plain list. */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { TagRing } from '../../../src/sim/state/tag-ring.ts';

/** Lengths of a ring below a block, of whole blocks, and with a part of one. */
for (const places of [1, 40, 64, 128, 200]) {
  test(`a ring of ${places} places finds each tag where a plain list has it, over many laps`, () => {
    const random = new Random(places);
    const ring = new TagRing();
    const plain: number[] = [];
    for (let k = 0; k < 1_000; k++) {
      const place = k % places;
      // Mostly in order; some orders of the venue have no tag, and an order that a trigger made has that of the trigger.
      const tag = random.below(20) === 0 ? 0 : Math.max(0, k - random.below(90));
      plain[place] = tag;
      ring.set(place, tag);
      if (k % 7 !== 0) continue;
      for (const one of [0, tag, k, random.below(k + 1)]) {
        expect(ring.placesOf(one)).toEqual(plain.flatMap((other, at) => (other === one ? [at] : [])));
      }
    }
    expect([ring.length, ring.at(places - 1)]).toEqual([places, plain[places - 1]]);
    const restored = new TagRing();
    restored.fill([5]);
    restored.fill(plain);
    for (const one of plain) expect(restored.placesOf(one)).toEqual(ring.placesOf(one));
  });
}
