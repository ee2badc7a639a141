/** Exports the table of halts for the generated docs. */
export { HALT_CODES } from '../../engine/state/events/halt-codes.ts';
