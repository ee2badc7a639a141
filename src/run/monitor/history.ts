/** Reads the fills of the past from the bot, page by page from the newest, so that the bot is never busy with many at once. */
import type { FillRow } from '../../control/changes.ts';
import { callControl } from '../../edge/control/control-client.ts';
import { FILLS_KEPT, type ReadModel } from '../../monitor/model/read-model.ts';

const PAGE = 500;
const PAUSE_MS = 20;

/** Adds the fills that the model lacks. Ends early where the bot gives no answer: the next reset begins again. */
export async function fillHistory(folder: string, model: ReadModel): Promise<void> {
  let before: number | null = null;
  let left = FILLS_KEPT;
  do {
    const given = { last: PAGE, ...(before === null ? {} : { before }) };
    const called = await callControl(folder, { method: 'GET', name: 'fills', given });
    if (!called.isThere || called.status !== 200) return;
    const { fills, next } = called.body as { readonly fills: readonly FillRow[]; readonly next: number | null };
    let isKnown = fills.length > 0;
    for (const fill of fills) {
      if (model.fills.get(fill.id) === undefined) isKnown = false;
      model.fills.put(fill);
    }
    if (isKnown) return;
    left -= fills.length;
    before = next;
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE_MS);
    });
  } while (before !== null && left > 0);
}
