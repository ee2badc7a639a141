/** Types of requests and answers between the exchange's HTTP server and its web page. The page serves paths that are not endpoints. */

/** A request of a browser that is for no endpoint. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The Host header. */
  readonly host: string | undefined;
  readonly remoteAddress: string | undefined;
  /** The headers Authorization and Sec-Fetch-Site; "" for none. */
  readonly authorization: string;
  readonly site: string;
  readonly body: Buffer;
}

export interface PageAnswer {
  readonly status: number;
  /** The Content-Type header; `headers` are the others. */
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns null for a path that it does not serve. */
export type Page = (request: PageRequest) => PageAnswer | null;
