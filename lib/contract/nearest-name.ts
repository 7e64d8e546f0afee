/** The maximum edit distance of a suggestion. */
const MAX_EDITS = 4;
/** A longer text gets no suggestion. */
const MAX_TEXT_LENGTH = 200;
/** The maximum number of computed cells, a few milliseconds' worth: of very many names, only the first are compared. */
const MAX_CELLS = 1_000_000;

/**
 * The name most similar to `text`: at most a third of its length, rounded up, and `maxEdits` edits (Levenshtein) away,
 * ignoring case. Null if none is.
 */
export function findNearestName(text: string, names: Iterable<string>, maxEdits = MAX_EDITS): string | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  const lowerText = text.toLowerCase();
  let within = Math.min(Math.ceil(lowerText.length / 3), maxEdits);
  let nearest: string | null = null;
  let cells = 0;
  for (const name of names) {
    if (name.length > MAX_TEXT_LENGTH || Math.abs(name.length - lowerText.length) > within) continue;
    cells += (lowerText.length + 1) * (2 * within + 1);
    if (cells > MAX_CELLS) break;
    const distance = editDistance(lowerText, name.toLowerCase(), within);
    if (distance > within) continue;
    nearest = name;
    // Another name must be closer than the best one so far.
    within = distance - 1;
    if (within < 0) break;
  }
  return nearest;
}

/** " Did you mean …?", to append to a message; empty if no name is similar. */
export function suggestName(text: string, names: Iterable<string>): string {
  const nearest = findNearestName(text, names);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}

/**
 * The number of edits from one text to the other; any number above `within` if it is more than that. Computes only a
 * band of the table.
 */
function editDistance(from: string, to: string, within: number): number {
  const beyond = within + 1;
  let previous = Array.from({ length: to.length + 1 }, (_, column) => Math.min(column, beyond));
  for (let row = 1; row <= from.length; row++) {
    const current = Array.from({ length: to.length + 1 }, () => beyond);
    if (row <= within) current[0] = row;
    const last = Math.min(to.length, row + within);
    for (let column = Math.max(1, row - within); column <= last; column++) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current[column] = Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return previous[to.length] ?? beyond;
}
