/** The errors of a tape, and of a recording that should become one. The command line prints it like any Failure. */
import { Failure } from '../../base/failure/failure.ts';

export type TapeErrorCode =
  | 'missing' // no such folder or file
  | 'not-a-tape' // the folder or file is something else
  | 'version' // written by a program that knows another format
  | 'truncated' // a file ends too early
  | 'corrupt' // a checksum does not match
  | 'exists' // writing would replace something
  | 'off-grid' // a price or size is no multiple of the instrument's step
  | 'order' // rows are not in order of time
  | 'range' // a value no column can hold
  | 'malformed' // a line of a recording cannot be read
  | 'unsupported' // a recording of another kind
  | 'empty' // nothing to write
  | 'unwritable'; // the system refused to write

export class TapeError extends Failure {
  readonly code: TapeErrorCode;

  constructor(code: TapeErrorCode, what: string, where: string, hint?: string, options?: ErrorOptions) {
    super(`tape-${code}`, { what, where, hint }, options);
    this.code = code;
  }
}

/** The system's word for what went wrong, for example "ENOENT". */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
