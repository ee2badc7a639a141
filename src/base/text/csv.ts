/** A field of CSV: quoted where needed, and marked as text where a spreadsheet would compute it. */
export function csvField(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The cells of a line of CSV: quoted cells may have commas, and quotes that are doubled. @throws SyntaxError if a quote is left open */
export function csvCells(line: string): string[] {
  const cells: string[] = [];
  for (let at = 0; ;) {
    if (line[at] !== '"') {
      const end = line.indexOf(',', at);
      cells.push((end < 0 ? line.slice(at) : line.slice(at, end)).trim());
      if (end < 0) return cells;
      at = end + 1;
      continue;
    }
    const quoted = /"((?:[^"]|"")*)"\s*(,|$)/y;
    quoted.lastIndex = at;
    const found = quoted.exec(line);
    if (found === null) throw new SyntaxError(`expected a quote that ends the cell, and a comma after it: ${line.slice(at, at + 40)}`);
    cells.push(found[1]!.replaceAll('""', '"'));
    if (found[2] === '') return cells;
    at = quoted.lastIndex;
  }
}
