/** Whether a step has left anything to do: something to tell, a wish to say, an event that came meanwhile. One look instead of three. */
export class PendingWork {
  isSome = false;
}
