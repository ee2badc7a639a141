/** Says in words what went wrong: the message of an error, or whatever else was thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
