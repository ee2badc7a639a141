/** Answers of the paged queries from the read model. */
import { textAt } from '../../base/fields.ts';
import type { Page, RecentRows } from '../../monitor/model/recent-rows.ts';
import type { LineRow, ReadModel } from '../../monitor/model/read-model.ts';
import { isOpenState } from '../../monitor/model/read-model.ts';
import { isInScope } from '../bot/answers/views.ts';

type Given = Readonly<Record<string, unknown>>;

const LIMIT_MAX = 1_000;

export function ordersPage(model: ReadModel, given: Given): Page<object> {
  const [id, state] = [textAt(given, 'id'), textAt(given, 'state')];
  return page(model.orders, given, (order) => {
    if (id !== '' && ![String(order.number), order.clientId, order.venueId].includes(id)) return false;
    if (state !== '' && (state === 'open') !== isOpenState(order.state)) return false;
    return isInScope(textAt(given, 'scope'), order);
  });
}

export function fillsPage(model: ReadModel, given: Given): Page<object> {
  const order = textAt(given, 'order');
  return page(model.fills, given, (fill) => (order === '' || fill.number === Number(order)) && isInScope(textAt(given, 'scope'), fill));
}

export function logPage(model: ReadModel, given: Given): Page<object> {
  const [level, event, text] = [textAt(given, 'level'), textAt(given, 'event'), textAt(given, 'text').toLowerCase()];
  const levels: readonly LineRow['level'][] =
    level === 'error' ? ['error'] : level === 'warn' ? ['warn', 'error'] : ['info', 'warn', 'error'];
  return page(model.lines, given, (line) => {
    if (!levels.includes(line.level) || (event !== '' && line.event !== event)) return false;
    return text === '' || JSON.stringify(line).toLowerCase().includes(text);
  });
}

export function notesPage(model: ReadModel, given: Given): Page<object> {
  return page(model.notes, given, (note) => isInScope(textAt(given, 'scope'), { ...note, side: '' }));
}

/** @throws RangeError for a value that is none */
function page<Row>(rows: RecentRows<Row>, given: Given, matches: (row: Row) => boolean): Page<Row> {
  const number = (key: string): number | undefined => {
    const text = textAt(given, key);
    if (text === '') return undefined;
    if (!/^\d{1,15}$/.test(text)) throw new RangeError(`"${key}": expected a whole number, found "${text.slice(0, 50)}"`);
    return Number(text);
  };
  const limit = number('limit') ?? 100;
  if (limit < 1 || limit > LIMIT_MAX) throw new RangeError(`"limit": expected 1 to ${LIMIT_MAX}, found ${limit}`);
  return rows.page({ before: number('before'), from: number('from'), to: number('to'), limit, matches });
}
