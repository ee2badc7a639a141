/**
 * Arithmetic on figures, such as "sharpe - 0.1 * averageDrawdown": what a search maximises, or the left side of a constraint. Numbers, names
 * of figures, + - * / ^, parentheses, and a few functions.
 */

/** Values of figures by name; null if one does not exist. */
export type FigureValue = (name: string) => number | null;

export interface Expression {
  /** The same for every spelling that differs only in spaces. */
  readonly text: string;
  /** Figures that it reads, in the order of their first use. */
  readonly names: readonly string[];
  /** Null if a figure does not exist, or the result is not a finite number, as after a division by zero. */
  readonly value: (of: FigureValue) => number | null;
}

/** An expression that cannot be read; `at` is the place in the text, counted from 1. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

type Node = (of: FigureValue) => number;
interface Token {
  readonly text: string;
  readonly at: number;
}

const FUNCTIONS: Readonly<Record<string, { readonly takes: readonly [number, number]; readonly of: (...values: number[]) => number }>> = {
  abs: { takes: [1, 1], of: Math.abs },
  sqrt: { takes: [1, 1], of: Math.sqrt },
  log: { takes: [1, 1], of: Math.log },
  min: { takes: [2, 9], of: Math.min },
  max: { takes: [2, 9], of: Math.max },
};
const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS);

/** Nested parentheses, signs and powers that are read; more is a mistake, and would fill the stack. */
const DEPTH_MAX = 100;
const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|([A-Za-z]\w*)|([-+*/^(),]))/y;
const NUMBER = /^[\d.]/;
const NAME = /^[A-Za-z]/;

/** @throws ExpressionError */
export function parseExpression(text: string): Expression {
  const reader = new Reader(tokensOf(text), text.length + 1);
  const node = reader.sum();
  reader.end();
  const value = (of: FigureValue): number | null => {
    const found = finite(node(of));
    return Number.isNaN(found) ? null : found;
  };
  return { text: reader.spelling(), names: reader.names, value };
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (const end = text.trimEnd().length; TOKEN.lastIndex < end;) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null) {
      const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
      throw new ExpressionError(`expected a number, the name of a metric or one of + - * / ^ ( ), found "${text.charAt(at)}"`, at + 1);
    }
    const token = found[1] ?? found[2] ?? found[3] ?? '';
    tokens.push({ text: token, at: TOKEN.lastIndex - token.length + 1 });
  }
  return tokens;
}

/** Reads tokens by recursive descent: sum, product, sign, power, value. */
class Reader {
  readonly names: string[] = [];
  readonly #tokens: readonly Token[];
  readonly #endAt: number;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], endAt: number) {
    this.#tokens = tokens;
    this.#endAt = endAt;
  }

  sum(): Node {
    let left = this.#product();
    for (;;) {
      const [a, sign] = [left, this.#take('+', '-')];
      if (sign === null) return left;
      const b = this.#product();
      left = sign === '+' ? (of) => a(of) + b(of) : (of) => a(of) - b(of);
    }
  }

  end(): void {
    const token = this.#tokens[this.#next];
    if (token !== undefined) throw new ExpressionError(`expected + - * / ^ or the end, found "${token.text}"`, token.at);
  }

  /** Operators between two values have spaces around them; a sign does not. */
  spelling(): string {
    let text = '';
    let isAfterValue = false;
    for (const { text: token } of this.#tokens) {
      if (token === ',') text += ', ';
      else if (isAfterValue && /^[-+*/^]$/.test(token)) text += ` ${token} `;
      else text += token;
      isAfterValue = !/^[-+*/^(,]$/.test(token);
    }
    return text;
  }

  #product(): Node {
    let left = this.#signed();
    for (;;) {
      const [a, sign] = [left, this.#take('*', '/')];
      if (sign === null) return left;
      const b = this.#signed();
      left = sign === '*' ? (of) => a(of) * b(of) : (of) => finite(a(of) / b(of));
    }
  }

  #signed(): Node {
    const sign = this.#take('-', '+');
    if (sign === null) return this.#power();
    const inner = this.#inside(() => this.#signed());
    return sign === '-' ? (of) => -inner(of) : inner;
  }

  /** Binds to the right, and before a sign: −2^2 is −4. */
  #power(): Node {
    const base = this.#value();
    if (this.#take('^') === null) return base;
    const exponent = this.#inside(() => this.#signed());
    return (of) => finite(base(of) ** exponent(of));
  }

  #value(): Node {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw new ExpressionError('expected a number or the name of a metric, found the end', this.#endAt);
    if (NUMBER.test(token.text)) {
      const number = Number(token.text);
      return () => number;
    }
    if (token.text === '(') {
      const inner = this.#inside(() => this.sum());
      this.#expect(')');
      return inner;
    }
    if (!NAME.test(token.text)) {
      throw new ExpressionError(`expected a number or the name of a metric, found "${token.text}"`, token.at);
    }
    return this.#take('(') === null ? this.#figure(token.text) : this.#call(token);
  }

  #figure(name: string): Node {
    if (!this.names.includes(name)) this.names.push(name);
    return (of) => of(name) ?? Number.NaN;
  }

  #call({ text: name, at }: Token): Node {
    const row = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (row === undefined) throw new ExpressionError(`there is no function "${name}"; there are ${FUNCTION_NAMES.join(', ')}`, at);
    const inner: Node[] = [];
    do inner.push(this.#inside(() => this.sum()));
    while (this.#take(',') !== null);
    this.#expect(')');
    const [least, most] = row.takes;
    if (inner.length < least || inner.length > most) {
      const count = least === most ? String(least) : `${least} to ${most}`;
      throw new ExpressionError(`${name} takes ${count} values, found ${inner.length}`, at);
    }
    return (of) => finite(row.of(...inner.map((one) => one(of))));
  }

  #inside(read: () => Node): Node {
    if (++this.#depth > DEPTH_MAX) {
      throw new ExpressionError(`more than ${DEPTH_MAX} levels of parentheses and signs`, this.#tokens[this.#next]?.at ?? this.#endAt);
    }
    const node = read();
    this.#depth--;
    return node;
  }

  /** The next token if it is one of these, else null. */
  #take(...texts: readonly string[]): string | null {
    const token = this.#tokens[this.#next];
    if (token === undefined || !texts.includes(token.text)) return null;
    this.#next++;
    return token.text;
  }

  #expect(text: string): void {
    if (this.#take(text) !== null) return;
    const token = this.#tokens[this.#next];
    throw new ExpressionError(`expected ${text}, found ${token === undefined ? 'the end' : `"${token.text}"`}`, token?.at ?? this.#endAt);
  }
}

/** Infinity is no figure: it would be the best of all trials, and a number divided by it zero. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}
