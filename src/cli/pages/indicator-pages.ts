/** The pages of docs/reference/indicators: an index, a page for each family, a chart for each indicator. All of it comes from the table. */
import { sampleBars, sampleInput } from '../../indicators/core/synthetic-bars.ts';
import { INDICATORS, type AnyIndicatorFunction } from '../../indicators/table.ts';
import { INPUTS, shownParam } from '../setup/indicator-words.ts';

const EXAMPLE_IMPORT = "import { ema, macd, rsi } from 'tickwright';";
const BARS = 160;
const WIDTH = 640;
/** Width of the lines; the figures of the scale are beside them. */
const PLOT = 560;
/** Of one panel. */
const HEIGHT = 120;
const GREY = '#8c959f';
const COLOURS = ['#1f6feb', '#d1242f', '#8250df', '#bf8700', '#1a7f37'];

/** File under docs/ → text. */
export function indicatorPages(): Record<string, string> {
  const families = [...new Set(INDICATORS.map(({ row }) => row.family))];
  const pages: Record<string, string> = { 'indicators/README.md': indexPage(families) };
  for (const family of families) {
    const members = INDICATORS.filter(({ row }) => row.family === family);
    pages[`indicators/${fileOf(family)}`] = familyPage(family, members);
    for (const make of members) pages[`indicators/charts/${make.row.name}.svg`] = chart(make);
  }
  return pages;
}

function fileOf(family: string): string {
  return `${family.replaceAll(' ', '-')}.md`;
}

function indexPage(families: readonly string[]): string {
  const names = (family: string): string[] => INDICATORS.filter(({ row }) => row.family === family).map(({ row }) => row.name);
  const rows = families.map((family) => `| [${family}](${fileOf(family)}) | ${names(family).join(', ')} |`);
  return `# Indicators

${INDICATORS.length} incremental indicators: one input in, one value out, at constant or logarithmic cost unless the page says otherwise.

\`\`\`ts
${EXAMPLE_IMPORT}

const trend = ema(200); // parameters one after the other …
const swing = macd({ fast: 5, slow: 34 }); // … or by name
const smooth = ema(rsi(14), 9); // an indicator of an indicator

onBar(bar) {
  trend.update(bar); // a bar, or a number
  swing.update(bar);
  smooth.update(bar); // updates the RSI too
  if (!trend.isReady || !swing.isReady) return;
  swing.signal; // a named output
  trend.at(1); // the value before
}
\`\`\`

- \`update(…)\` takes the next input and returns the new value. \`next\` is its older name.
- \`value\` is NaN until \`isReady\`. \`lookback\` is the number of updates before the first value.
- \`at(n)\` is the value of n updates ago, \`at(n, 'signal')\` that of another output. 64 are kept; \`keep(500)\` keeps more.
- \`save()\` returns the state as plain JSON, \`restore(state)\` takes it, bit for bit. \`reset()\` forgets everything.
- \`ema(macd().output('signal'), 9)\` feeds on one output. An indicator that feeds another is updated by it and by nobody else.
- An input that is not finite (NaN, Infinity), or a bar whose high is below its low, throws a RangeError; the state stays as it was. A result
  that is not finite, such as the logarithm of −1, is returned as it is and is not passed on to an indicator that feeds on it.
- Sums over a window are computed again once per window, so that rounding errors do not grow with the number of bars.
- Decimals have no exact double. Prices and sizes of up to 12 digits become whole numbers before any arithmetic, so equal moves are equal, and
  the result is the same at every tick and lot size (\`test/unit/indicators/indicators-scale.test.ts\`). What another indicator gives is taken as it is.

Functions that name TA-Lib as their source give its numbers: within 10⁻⁹ for numbers, exactly for patterns (\`test/golden/ta-lib-vectors.py\`).

| family | indicators |
|---|---|
${rows.join('\n')}
`;
}

function familyPage(family: string, members: readonly AnyIndicatorFunction[]): string {
  const parts = members.map((make) => {
    const { row } = make;
    const params = row.params.length === 0 ? 'none' : row.params.map(shownParam).join('; ');
    return `## ${row.name}

${row.title}. ${row.formula}.

![${row.name} on the sample bars](charts/${row.name}.svg)

| source | input | parameters | outputs | lookback |
|---|---|---|---|---|
| ${row.source} | ${INPUTS[row.input]} | ${params} | ${row.outputs.join(', ')} | ${make().lookback} |
`;
  });
  return `# ${family[0]!.toUpperCase()}${family.slice(1)}

[All indicators](README.md). The lookback is that of the default parameters on the sample bars. Charts: the closes of
the sample bars in grey, with the outputs that follow the price; the other outputs below.

${parts.join('\n')}`;
}

/** A line of a chart. Values are doubles, NaN for none. */
interface Line {
  readonly name: string;
  readonly colour: string;
  readonly values: readonly number[];
}

/** The sample closes with the outputs that follow the price; below, a panel for each group of outputs of one size. */
function chart(make: AnyIndicatorFunction): string {
  const { row } = make;
  const indicator = make();
  const bars = sampleBars(BARS + indicator.lookback);
  const series = row.outputs.map((): number[] => []);
  for (const [index, bar] of bars.entries()) {
    const [input, second] = sampleInput(row.input, bar);
    indicator.update(input, second);
    if (index >= indicator.lookback) for (const [k, output] of row.outputs.entries()) series[k]!.push(indicator.at(0, output));
  }
  const closes = bars.slice(-BARS).map((bar) => bar.close);
  const outputs = row.outputs.map((name, k): Line => ({ name, colour: COLOURS[k % COLOURS.length]!, values: series[k]! }));
  const isOnPrice = ({ values }: Line): boolean => followsPrice(values, closes);
  const panels = [[{ name: 'close', colour: GREY, values: closes }, ...outputs.filter(isOnPrice)], ...ofOneSize(outputs, isOnPrice)];
  const height = panels.length * HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${panels.map((lines, k) => panel(lines, k * HEIGHT)).join('\n')}
</svg>
`;
}

/** True for an output in the coin of the price and near it, such as an average: on average less than the range of the closes away. */
function followsPrice(values: readonly number[], closes: readonly number[]): boolean {
  const distances = values.map((value, index) => Math.abs(value - closes[index]!)).filter(Number.isFinite);
  const mean = distances.reduce((sum, one) => sum + one, 0) / distances.length;
  const [low, high] = rangeOf([closes]);
  return mean < high - low;
}

/** The other outputs in groups: those whose largest values differ less than ten times share a scale. */
function ofOneSize(outputs: readonly Line[], isOnPrice: (line: Line) => boolean): readonly (readonly Line[])[] {
  const groups: Line[][] = [];
  const sizeOf = ({ values }: Line): number => Math.max(...rangeOf([values]).map(Math.abs));
  for (const line of outputs) {
    if (isOnPrice(line)) continue;
    const size = sizeOf(line);
    const group = groups.find(([first]) => size < 10 * sizeOf(first!) && sizeOf(first!) < 10 * size);
    if (group === undefined) groups.push([line]);
    else group.push(line);
  }
  return groups;
}

/** Lines on one scale, with their names above and the ends of the scale at the right. */
function panel(lines: readonly Line[], top: number): string {
  const [low, high] = rangeOf(lines.map(({ values }) => values));
  const names = lines.map(({ name, colour }) => `<tspan fill="${colour}">${name}</tspan>`).join(' ');
  const scale = [high, low].map((value, k) => {
    return `<text x="${PLOT + 6}" y="${top + (k === 0 ? 24 : HEIGHT - 6)}">${Number(value.toPrecision(5))}</text>`;
  });
  const rule = top === 0 ? [] : [`<path stroke="#d8dee4" d="M0 ${top}H${WIDTH}"/>`];
  const paths = lines.map(({ values, colour }) => path(values, low, high, top, colour));
  return [...rule, ...paths, `<text x="4" y="${top + 12}">${names}</text>${scale.join('')}`].join('\n');
}

/** Smallest and largest finite value, 0 and 0 if there is none. */
function rangeOf(series: readonly (readonly number[])[]): readonly [low: number, high: number] {
  const all = series.flat().filter(Number.isFinite);
  return all.length === 0 ? [0, 0] : [Math.min(...all), Math.max(...all)];
}

function path(values: readonly number[], low: number, high: number, top: number, colour: string): string {
  const span = high - low || 1;
  const step = PLOT / BARS;
  let isDown = false;
  const moves = values.map((value, index) => {
    if (!Number.isFinite(value)) {
      isDown = false;
      return '';
    }
    const command = isDown ? 'L' : 'M';
    isDown = true;
    return `${command}${index * step} ${Math.round(top + 18 + (HEIGHT - 26) * (1 - (value - low) / span))}`;
  });
  return `<path fill="none" stroke="${colour}" d="${moves.join('')}"/>`;
}
