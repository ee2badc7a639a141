/** What the pages of docs/migrate say, for the command and the test that compare it. */

/** The text of `cat > …/name <<'END'` in a page. @throws Error if the page has none */
export function heredocOf(page: string, name: string): string {
  const found = new RegExp(`/${name.replace('.', '\\.')}" <<'END'\\n([^]*?\\n)END\\n`).exec(page)?.[1];
  if (found === undefined) throw new Error(`expected a file ${name} in the page`);
  return found;
}

/** The rows "trades" and "net profit" of a page: theirs and ours. @throws Error if the page has none */
export function resultOf(page: string): { readonly trades: number; readonly theirs: number; readonly ours: number } {
  const row = (name: string): number[] => {
    const cells = new RegExp(`^\\| ${name} \\| ([\\d.,]+) \\| ([\\d.,]+) \\|$`, 'm').exec(page)?.slice(1);
    if (cells === undefined) throw new Error(`expected a row "${name}" with two figures in the page`);
    return cells.map((cell) => Number(cell.replaceAll(',', '')));
  };
  const [trades, ourTrades] = row('trades') as [number, number];
  const [theirs, ours] = row('net profit, USDT') as [number, number];
  if (trades !== ourTrades) throw new Error(`expected the same number of trades, found ${trades} and ${ourTrades}`);
  return { trades, theirs, ours };
}
