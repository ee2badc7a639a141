/**
 * Milliseconds on the steady clock of the machine, which runs from its start and is the same for all of its processes. Setting the time of
 * day does not change it. So it says which of two processes did something first.
 */
export function machineNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
