/** Finds the endpoint of a dialect for a method and a path. */
import type { Endpoint } from '../contract/endpoints/endpoint.ts';
import type { Dialect } from './dialect.ts';

export class Routes {
  readonly #prefix: string;
  readonly #byRoute: ReadonlyMap<string, Endpoint>;

  constructor({ endpoints, aliases = [], prefix }: Dialect) {
    this.#prefix = prefix;
    this.#byRoute = new Map([...aliases, ...endpoints].map((one) => [`${one.method} ${one.path}`, one]));
  }

  /** `path`: without the query. */
  find(method: string, path: string): Endpoint | undefined {
    return this.#byRoute.get(`${method} ${path}`);
  }

  /** The same for a path that lacks the prefix. */
  findBare(method: string, path: string): Endpoint | undefined {
    return this.#byRoute.get(`${method} ${this.#prefix}${path}`);
  }
}
