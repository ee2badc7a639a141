/** A hint for a word that is not in `known`: "did you mean …?"; undefined if nothing is similar. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const near = suggest(word, known);
  return near === null ? undefined : `did you mean "${near}"?`;
}

/** Words of so few letters may be the beginning of a name: "net" of "netProfit". Longer ones are more often misspelled. */
const BEGINNINGS = [3, 4];

/** Letters that a misspelt word of more than three letters may have wrong. A guess further away is another word. */
const MOST = 2;

/**
 * The word in `known` nearest to `word` by Damerau–Levenshtein distance, or null if none is close enough. A name that begins with
 * a short `word` counts as one letter away.
 */
export function suggest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = (word.length <= 3 ? 1 : MOST) + 1;
  const asked = word.toLowerCase();
  for (const candidate of known) {
    const name = candidate.toLowerCase();
    const d = BEGINNINGS.includes(asked.length) && name.startsWith(asked) ? Math.min(1, name.length - asked.length) : distance(asked, name);
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

function distance(a: string, b: string): number {
  let previous: number[] = [];
  let current = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (current[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((current[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (previous[j - 2] ?? 0) + 1);
      }
      next.push(cost);
    }
    previous = current;
    current = next;
  }
  return current[b.length] ?? a.length;
}
