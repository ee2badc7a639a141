/** The table of halts, for the page that is made of it. */
export { HALT_CODES } from '../../engine/state/halt-codes.ts';
