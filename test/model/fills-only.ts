/**
 * A simulator followed by a second one that gets the same calls but reports only fills, as in a backtest. The second one may keep a
 * modified order in its place and skip reports of resting orders; both must give the same result.
 */
import { VenueSim } from '../../src/sim/core/venue-core.ts';
import type { SimSpec } from '../../src/sim/state/types.ts';
import { same, LedgerText } from './compare.ts';

/** The calls that change a venue. */
const CALLS = [
  'quote', 'trade', 'passed', 'advance', 'place', 'placeTrigger', 'modify', 'cancel', 'placeSpot', 'cancelSpot', 'setMarginMode',
  'adjustMargin', 'liquidate', 'deposit', 'restore',
] as const satisfies (keyof VenueSim)[]; // prettier-ignore

class FillsOnly extends LedgerText {
  readonly wantsFillsAlone = true;
}

export class EchoedVenue extends VenueSim {
  readonly #spec: SimSpec;
  readonly #quiet: VenueSim;

  constructor(spec: SimSpec, teller: LedgerText) {
    super(spec, teller);
    const heard = new FillsOnly();
    const quiet = new VenueSim(spec, heard);
    this.#spec = spec;
    this.#quiet = quiet;
    for (const name of CALLS) {
      const told = super[name] as (...given: unknown[]) => unknown;
      const call = (...given: unknown[]): unknown => {
        const from = teller.told.length;
        const answer = told.apply(this, given);
        heard.told.length = 0;
        same(`${name} where only fills are heard`, Reflect.apply(quiet[name], quiet, given), answer);
        same('fills alone', heard.told.join('\n'), teller.told.slice(from).filter(isHeardAlone).join('\n'));
        return answer;
      };
      Object.defineProperty(this, name, { value: call });
    }
  }

  /** @throws Divergence | AssertionError */
  compareQuiet(): void {
    const quiet = this.#quiet;
    quiet.audit();
    same('next look of the quiet one', quiet.nextDue, this.nextDue);
    for (const account of this.#spec.accounts.keys()) {
      same('equity of the quiet one', quiet.equity(account), this.equity(account));
      same('orders of the quiet one', JSON.stringify(quiet.pending(account, -1)), JSON.stringify(this.pending(account, -1)));
    }
  }
}

function isHeardAlone(line: string): boolean {
  return line.startsWith('fill ') || line.startsWith('step ');
}
