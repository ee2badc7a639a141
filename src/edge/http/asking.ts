/** Runs the requests of a query one after the other. */
import type { Endpoint, RequestOf } from '../../contract/endpoints/endpoint.ts';
import type { Called } from '../../venue/called.ts';
import type { Asking } from '../../venue/dialect.ts';

/** Calls an endpoint: spaced, and repeated if that can help. */
export type Ask = (endpoint: Endpoint, params: RequestOf<Endpoint>) => Promise<Called<unknown>>;

/** The first request is asked before this returns. An error of `ask` or of the mapping is thrown. */
export async function complete<T>(asking: Asking<T>, ask: Ask): Promise<T> {
  let step = asking.next();
  while (step.done !== true) step = asking.next(await ask(step.value.endpoint, step.value.params));
  return step.value;
}
