/** The register of assumptions, handed to the command line, which does not see the contract itself. */
export { ASSUMPTIONS, type Assumption } from '../contract/assumptions.ts';
