/** Breaks text into lines for a terminal or a text report. */

/** A colour of a terminal: it takes no room. */
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001b\[[\d;]*m/g;

/** Breaks `text` at single blanks into lines of at most `width`, which begin with `first` and `next`. A word longer than a line stays whole. */
export function wrap(text: string, width: number, first = '', next = first): string[] {
  const lines: string[] = [];
  let line = first;
  let room = width - first.length;
  let isEmpty = true;
  for (const word of text.split(/(?<=\S)[ \n](?=\S)/)) {
    const length = word.replaceAll(COLOUR, '').length;
    if (!isEmpty && length + 1 > room) {
      lines.push(line);
      line = next;
      room = width - next.length;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    room -= isEmpty ? length : length + 1;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Breaks the lines of `text` that are longer than `width` at blanks; what goes on is indented by two blanks more than its line. */
export function folded(text: string, width: number): string {
  const line = (one: string): string => {
    if (one.replaceAll(COLOUR, '').length <= width) return one;
    const indent = /^ */.exec(one)![0];
    return wrap(one.slice(indent.length), width, indent, `${indent}  `).join('\n');
  };
  return text.split('\n').map(line).join('\n');
}
