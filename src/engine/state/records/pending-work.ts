/** True while a step has work left: strategy events, quotes to submit, or events that arrived meanwhile. One check instead of three. */
export class PendingWork {
  isSome = false;
}
