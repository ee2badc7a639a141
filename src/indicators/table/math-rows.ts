/** Operators of one and two values. size: one row after the other, nothing to divide. */
import { indicator } from '../core/define-indicator.ts';
import { integer } from '../core/params.ts';
import { operator, transform } from '../kernels/math/function-of.ts';
import { Cumsum, Max, Maxindex, Min, Minindex, Minmax, Minmaxindex, Sum } from '../kernels/math/math.ts';

export const acos = indicator({
  name: 'acos',
  title: 'Arc cosine',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'acos(x)',
  source: 'TA-Lib ACOS',
  talib: 'ACOS',
  kernel: transform(Math.acos),
});

export const asin = indicator({
  name: 'asin',
  title: 'Arc sine',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'asin(x)',
  source: 'TA-Lib ASIN',
  talib: 'ASIN',
  kernel: transform(Math.asin),
});

export const atan = indicator({
  name: 'atan',
  title: 'Arc tangent',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'atan(x)',
  source: 'TA-Lib ATAN',
  talib: 'ATAN',
  kernel: transform(Math.atan),
});

export const ceil = indicator({
  name: 'ceil',
  title: 'Round up',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'ceil(x)',
  source: 'TA-Lib CEIL',
  talib: 'CEIL',
  kernel: transform(Math.ceil),
});

export const cos = indicator({
  name: 'cos',
  title: 'Cosine',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'cos(x)',
  source: 'TA-Lib COS',
  talib: 'COS',
  kernel: transform(Math.cos),
});

export const cosh = indicator({
  name: 'cosh',
  title: 'Hyperbolic cosine',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'cosh(x)',
  source: 'TA-Lib COSH',
  talib: 'COSH',
  kernel: transform(Math.cosh),
});

export const exp = indicator({
  name: 'exp',
  title: 'Exponential',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'exp(x)',
  source: 'TA-Lib EXP',
  talib: 'EXP',
  kernel: transform(Math.exp),
});

export const floor = indicator({
  name: 'floor',
  title: 'Round down',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'floor(x)',
  source: 'TA-Lib FLOOR',
  talib: 'FLOOR',
  kernel: transform(Math.floor),
});

export const ln = indicator({
  name: 'ln',
  title: 'Natural logarithm',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'ln(x)',
  source: 'TA-Lib LN',
  talib: 'LN',
  kernel: transform(Math.log),
});

export const log10 = indicator({
  name: 'log10',
  title: 'Decimal logarithm',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'log10(x)',
  source: 'TA-Lib LOG10',
  talib: 'LOG10',
  kernel: transform(Math.log10),
});

export const sin = indicator({
  name: 'sin',
  title: 'Sine',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'sin(x)',
  source: 'TA-Lib SIN',
  talib: 'SIN',
  kernel: transform(Math.sin),
});

export const sinh = indicator({
  name: 'sinh',
  title: 'Hyperbolic sine',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'sinh(x)',
  source: 'TA-Lib SINH',
  talib: 'SINH',
  kernel: transform(Math.sinh),
});

export const sqrt = indicator({
  name: 'sqrt',
  title: 'Square root',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'sqrt(x)',
  source: 'TA-Lib SQRT',
  talib: 'SQRT',
  kernel: transform(Math.sqrt),
});

export const tan = indicator({
  name: 'tan',
  title: 'Tangent',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'tan(x)',
  source: 'TA-Lib TAN',
  talib: 'TAN',
  kernel: transform(Math.tan),
});

export const tanh = indicator({
  name: 'tanh',
  title: 'Hyperbolic tangent',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'tanh(x)',
  source: 'TA-Lib TANH',
  talib: 'TANH',
  kernel: transform(Math.tanh),
});

export const add = indicator({
  name: 'add',
  title: 'Sum of two',
  family: 'math',
  input: 'pair',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'x + y',
  source: 'TA-Lib ADD',
  talib: 'ADD',
  kernel: operator((x, y) => x + y),
});

export const sub = indicator({
  name: 'sub',
  title: 'Difference of two',
  family: 'math',
  input: 'pair',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'x − y',
  source: 'TA-Lib SUB',
  talib: 'SUB',
  kernel: operator((x, y) => x - y),
});

export const mult = indicator({
  name: 'mult',
  title: 'Product of two',
  family: 'math',
  input: 'pair',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'x · y',
  source: 'TA-Lib MULT',
  talib: 'MULT',
  kernel: operator((x, y) => x * y),
});

export const div = indicator({
  name: 'div',
  title: 'Quotient of two',
  family: 'math',
  input: 'pair',
  params: [],
  outputs: ['value'],
  unit: 'raw',
  formula: 'x ÷ y',
  source: 'TA-Lib DIV',
  talib: 'DIV',
  kernel: operator((x, y) => x / y),
});

export const cumsum = indicator({
  name: 'cumsum',
  title: 'Running total',
  family: 'math',
  input: 'value',
  params: [],
  outputs: ['value'],
  unit: 'price',
  formula: 'Σ x since the first value',
  source: 'TA-Lib CUMSUM',
  talib: 'CUMSUM',
  kernel: Cumsum,
});

export const sum = indicator({
  name: 'sum',
  title: 'Sum',
  family: 'math',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'Σ of the last period values',
  source: 'TA-Lib SUM',
  talib: 'SUM',
  kernel: Sum,
});

export const max = indicator({
  name: 'max',
  title: 'Highest value',
  family: 'math',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'max of the last period values',
  source: 'TA-Lib MAX',
  talib: 'MAX',
  kernel: Max,
});

export const min = indicator({
  name: 'min',
  title: 'Lowest value',
  family: 'math',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  unit: 'price',
  formula: 'min of the last period values',
  source: 'TA-Lib MIN',
  talib: 'MIN',
  kernel: Min,
});

export const maxindex = indicator({
  name: 'maxindex',
  title: 'Place of the highest value',
  family: 'math',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  formula: 'number of the update that brought it; the first is 0',
  source: 'TA-Lib MAXINDEX',
  talib: 'MAXINDEX',
  kernel: Maxindex,
});

export const minindex = indicator({
  name: 'minindex',
  title: 'Place of the lowest value',
  family: 'math',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['value'],
  formula: 'number of the update that brought it; the first is 0',
  source: 'TA-Lib MININDEX',
  talib: 'MININDEX',
  kernel: Minindex,
});

export const minmax = indicator({
  name: 'minmax',
  title: 'Lowest and highest value',
  family: 'math',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['min', 'max'],
  unit: 'price',
  formula: 'min and max of the last period values',
  source: 'TA-Lib MINMAX',
  talib: 'MINMAX',
  kernel: Minmax,
});

export const minmaxindex = indicator({
  name: 'minmaxindex',
  title: 'Places of lowest and highest value',
  family: 'math',
  input: 'value',
  params: [integer('period', 30, 1)],
  outputs: ['min', 'max'],
  formula: 'numbers of the updates that brought them; the first is 0',
  source: 'TA-Lib MINMAXINDEX',
  talib: 'MINMAXINDEX',
  kernel: Minmaxindex,
});
