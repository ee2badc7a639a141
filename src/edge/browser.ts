/** What the exchange's socket and its page say to each other: a person's browser asks for a path that is no endpoint. */

/** A GET. */
export interface PageRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The Host header. */
  readonly host: string | undefined;
  readonly remoteAddress: string | undefined;
}

export interface PageAnswer {
  readonly status: number;
  /** The Content-Type header; `headers` are the others. */
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers what it knows; null for any other path. */
export type Page = (request: PageRequest) => PageAnswer | null;
