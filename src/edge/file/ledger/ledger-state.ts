/** The content of the ledger's files: types and checked readers of snapshots and input lines. */
import { readFileSync } from 'node:fs';
import type { Endpoint } from '../../../contract/endpoints/endpoint.ts';
import type { WireRequest } from '../../../contract/envelope.ts';
import { recordedEndpoint, type Dialect } from '../../../venue/dialect.ts';
import type { LedgerPlace } from './ledger-files.ts';
import { LedgerError, type FaultRecord } from './ledger-types.ts';

/** Format version of a snapshot; raise it whenever the content changes. */
export const VERSION = 8;

/** A snapshot: the state after all earlier input logs. */
export interface LedgerState {
  readonly version: typeof VERSION;
  readonly identity: string;
  /** Number of the input log that starts at this snapshot; later logs follow it. */
  readonly generation: number;
  /** Lines and bytes of the ledger that this snapshot covers, and the position of the current file. */
  readonly lines: number;
  readonly bytes: number;
  readonly place: LedgerPlace;
  readonly rows: number;
  readonly requests: number;
  readonly time: number;
  readonly state: unknown;
}

/** A line of an input log: quote, trade, advance, request, operator command or fault. */
export type Input =
  | ['q', number, number, number, number, number, number]
  | ['t', number, number, number, number, number, number]
  | ['a', number]
  | ['r', number, string, string, string]
  | ['x', number, string, unknown]
  | ['f', number, FaultRecord];

type RequestInput = Extract<Input, ['r', ...unknown[]]>;

/** A request as the exchange handles it, live or in a replay. */
export interface Performed {
  readonly endpoint: Endpoint;
  readonly request: WireRequest;
  /** Name of the account. */
  readonly account: string;
  readonly time: number;
}

/** Rebuilds a recorded request for the replay. `keys`: account name → API key. @throws LedgerError corrupt */
export function recordedRequest([, time, account, id, body]: RequestInput, keys: ReadonlyMap<string, string>, dialect: Dialect): Performed {
  const endpoint = recordedEndpoint(dialect, id);
  const caller = keys.get(account);
  if (caller === undefined)
    throw new LedgerError(
      'corrupt',
      `the inputs name an account "${account}" that this exchange does not have: start it with the accounts of the recording`,
    );
  // Only bodies that the server could parse are recorded. The server treats a missing body as no parameters.
  const params: unknown = body === '' ? {} : JSON.parse(body);
  return {
    endpoint,
    request: { method: endpoint.method, target: endpoint.path, body, params, header: () => undefined, caller },
    account,
    time,
  };
}

/** @throws LedgerError corrupt */
export function parseInput(line: string, path: string): Input {
  try {
    return JSON.parse(line) as Input;
  } catch (error) {
    throw new LedgerError('corrupt', `${path} contains a line that is not JSON: ${line.slice(0, 80)}`, { cause: error });
  }
}

/** Returns the snapshot in the file, or null if there is none. @throws LedgerError corrupt | foreign */
export function readState(path: string, identity: string): LedgerState | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let state: LedgerState;
  try {
    state = JSON.parse(text) as LedgerState;
  } catch (error) {
    throw new LedgerError('corrupt', `${path} is not JSON: restore the file, or use another folder`, { cause: error });
  }
  if (state.version !== VERSION) {
    throw new LedgerError('foreign', `${path} was written by another release of the exchange; use another folder`);
  }
  if (state.identity !== identity) {
    throw new LedgerError(
      'foreign',
      `${path} belongs to an exchange with other instruments, accounts or settings: use another folder, with --state FOLDER`,
    );
  }
  return state;
}
