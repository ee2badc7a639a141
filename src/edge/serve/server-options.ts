/** The options of a server of the paper exchange. */
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import type { Handler, RefusedRequest, WireRequest } from '../../contract/envelope.ts';
import type { Dialect } from '../../venue/dialect.ts';
import type { Page } from '../browser.ts';
import type { ServedAccount, SignedPath } from './request/authenticate.ts';
import type { Faults } from './faults/faults.ts';
import type { Limits } from './request/request-limits.ts';

export interface ServerOptions {
  readonly handler: Handler;
  /** What must happen before the handler can answer a request at once, which never fails; null if nothing. Default: nothing. */
  readonly prepare?: ((endpoint: Endpoint, request: WireRequest) => Promise<void> | null) | undefined;
  /**
   * What the server still waits for; null once it is ready. Until then every request is refused with status 503 and this text. Default: ready.
   */
  readonly waitsFor?: (() => string | null) | undefined;
  /** What the server speaks; the same as the handler's. Default: the interface. */
  readonly dialect?: Dialect | undefined;
  readonly accounts: readonly ServedAccount[];
  /** Wall clock in milliseconds, used for signatures, limits and `requestTime`. */
  readonly now: () => number;
  /** Default "127.0.0.1". */
  readonly host?: string | undefined;
  /** 0 lets the system choose. */
  readonly port: number;
  /** True also serves the endpoints at the root, without `/api/v1`. Default false. */
  readonly mountAtRoot?: boolean | undefined;
  /** Whether an error envelope has `data: null` (assumption A04) or no `data`. Default "null". */
  readonly errorData?: 'absent' | 'null' | undefined;
  /** Largest accepted difference between ACCESS-TIMESTAMP and `now`, in milliseconds. Default 30,000. */
  readonly clockSkewMs?: number | undefined;
  /** The path that a signature covers. Default "full". */
  readonly signedPath?: SignedPath | undefined;
  /** Largest body in bytes. Default 64 KiB. */
  readonly bodyLimit?: number | undefined;
  /** Most open connections; beyond it the one that is silent longest is closed. Default 4,096. */
  readonly maxConnections?: number | undefined;
  /** Time-out for receiving one request, in milliseconds. Default 20,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Rate limits by bucket. Default: none. */
  readonly limits?: Limits | undefined;
  /** Creates the document for `GET /openapi.json`; called once, at the first request. */
  readonly openapi?: (() => unknown) | undefined;
  /** Answers GET requests for paths that are not endpoints; null for an unknown path. */
  readonly page?: Page | undefined;
  /** Fault injection for endpoint requests. Closed with the server. */
  readonly faults?: Faults | undefined;
  /** Called for each request that is refused without reaching the handler, before the refusal is sent. */
  readonly onRefused?: ((refused: RefusedRequest) => void) | undefined;
  /** Called with errors of the handler; the caller gets "System error". */
  readonly onError?: ((error: unknown) => void) | undefined;
}
