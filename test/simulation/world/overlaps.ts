/** Sends of one bot among those of another, where a lease should keep them apart. */
import { START } from '../../support/engine/engine-kit.ts';
import type { Life } from './life.ts';

export function overlaps(sent: readonly { readonly life: Life; readonly at: number }[]): string[] {
  const found: string[] = [];
  const over = new Set<Life>();
  let holder: Life | null = null;
  for (const { life, at } of sent) {
    if (life === holder) continue;
    if (over.has(life)) found.push(`${life.name} sends at ${at - START} after another bot has`);
    if (holder !== null) over.add(holder);
    holder = life;
  }
  return found;
}
