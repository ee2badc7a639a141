/**
 * The normal distribution. The distribution function uses W. J. Cody, "Rational Chebyshev approximations for the error function", Math.
 * Comp. 23 (1969), as written out in his CALERF; its inverse uses M. J. Wichura, algorithm AS 241 (PPND16), Applied Statistics 37 (1988).
 */

const ROOT_HALF = Math.SQRT1_2;
const ONE_BY_ROOT_PI = 0.5641895835477563;

/** Coefficients in the order of CALERF, in which the highest power of `A` comes last: its loops multiply and add in this order. */
const A = [3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694, 0.18577770618460315];
const B = [23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171];
const C = [
  0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001, 881.952221241769, 1712.0476126340707, 2051.0783778260716,
  1230.3393547979972, 2.1531153547440383e-8,
];
const D = [
  15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597, 4362.619090143247, 3439.3676741437216,
  1230.3393548037495,
];
const P = [
  0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275, 0.0006587491615298378, 0.016315387137302097,
];
const Q = [2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918];

const at = (values: readonly number[], index: number): number => values[index] ?? 0;

/** The complementary error function of `x`. */
function erfc(x: number): number {
  const y = Math.abs(x);
  if (y <= 0.46875) {
    const z = y * y;
    let above = at(A, 4) * z;
    let below = z;
    for (let i = 0; i < 3; i++) {
      above = (above + at(A, i)) * z;
      below = (below + at(B, i)) * z;
    }
    return 1 - (x * (above + at(A, 3))) / (below + at(B, 3));
  }
  const tail = y <= 4 ? middle(y) : far(y);
  return x < 0 ? 2 - tail : tail;
}

/** exp(-y²) in two factors, of which the first is exact in the argument. */
function gauss(y: number): number {
  const cut = Math.trunc(y * 16) / 16;
  return Math.exp(-cut * cut) * Math.exp(-(y - cut) * (y + cut));
}

function middle(y: number): number {
  let above = at(C, 8) * y;
  let below = y;
  for (let i = 0; i < 7; i++) {
    above = (above + at(C, i)) * y;
    below = (below + at(D, i)) * y;
  }
  return (gauss(y) * (above + at(C, 7))) / (below + at(D, 7));
}

function far(y: number): number {
  if (y > 26.6) return 0;
  const z = 1 / (y * y);
  let above = at(P, 5) * z;
  let below = z;
  for (let i = 0; i < 4; i++) {
    above = (above + at(P, i)) * z;
    below = (below + at(Q, i)) * z;
  }
  const quotient = (z * (above + at(P, 4))) / (below + at(Q, 4));
  return (gauss(y) * (ONE_BY_ROOT_PI - quotient)) / y;
}

/** The probability that a standard normal number is at most `x`. */
export const normalCdf = (x: number): number => 0.5 * erfc(-x * ROOT_HALF);

const ratio = (x: number, above: readonly number[], below: readonly number[]): number => {
  let a = 0;
  let b = 0;
  for (let i = above.length - 1; i >= 0; i--) {
    a = a * x + at(above, i);
    b = b * x + at(below, i);
  }
  return a / b;
};

/** The number that a standard normal number is below with probability `p`, 0 < p < 1; infinite at 0 and 1, NaN outside. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(0.180625 - q * q, CENTRE_A, CENTRE_B);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const value = r <= 5 ? ratio(r - 1.6, NEAR_C, NEAR_D) : ratio(r - 5, TAIL_E, TAIL_F);
  return q < 0 ? -value : value;
}

const CENTRE_A = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087, 33430.57558358813,
  2509.0809287301227,
];
const CENTRE_B = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852546,
];
const NEAR_C = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const NEAR_D = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457, 0.0005475938084995345,
  1.0507500716444169e-9,
];
const TAIL_E = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124, 0.0012426609473880784,
  2.7115555687434876e-5, 2.0103343992922881e-7,
];
const TAIL_F = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5, 1.421511758316446e-7,
  2.0442631033899397e-15,
];
