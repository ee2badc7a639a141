/**
 * The dialect mix-v2: the futures of the published API v2 of a sibling venue. Order records have a filled size, which proves fills at once.
 * A modify does not name its new order. One read serves quotes and figures of 24 hours, and a fee that was paid is negative.
 */
import { plainText, type Dialect } from '../dialect.ts';
import * as aliases from './aliases.ts';
import { answerTo, requestOf } from './client.ts';
import * as endpoints from './endpoints.ts';
import { serve } from './server.ts';

const { PREFIX, ORDER_FIELDS: _fields, ...table } = endpoints;

export const MIX_V2: Dialect = {
  name: 'mix-v2',
  title: 'the published API v2 of a sibling, for futures margined in USDT',
  prefix: PREFIX,
  endpoints: Object.values(table),
  aliases: Object.values(aliases),
  signedText: plainText,
  requestOf,
  answerTo,
  serve,
};
