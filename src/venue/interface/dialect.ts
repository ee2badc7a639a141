/** The dialect of the interface (E1 to E20), which is the default. */
import { API_PREFIX } from '../../contract/endpoints/endpoint.ts';
import { ENDPOINT_LIST } from '../../contract/endpoints/endpoints.ts';
import { plainText, type Dialect } from '../dialect.ts';
import { requestOf } from './map-out.ts';
import { answerQuery } from './queries.ts';

export const INTERFACE: Dialect = {
  name: 'interface',
  title: 'the interface of this project, E1 to E20',
  prefix: API_PREFIX,
  endpoints: ENDPOINT_LIST,
  signedText: plainText,
  requestOf,
  answerTo: answerQuery,
  // The operations are the endpoints of this dialect.
  serve: (operations) => operations,
};
