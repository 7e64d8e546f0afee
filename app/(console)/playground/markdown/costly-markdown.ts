/** Parsing takes time in proportion to the square of these marks: 6,000 in one block take a second. */
const MARKS = /[*_[\]~`]/g;
const MAX_MARKS = 1_500;
/** Each line can be a heading or an item of a list. */
const MAX_LINES = 400;
/** A row of two characters has as many cells as the table has columns. */
const MAX_CELLS = 1_500;
/** A line of 30 quotes or lists in each other. The parser and the renderer call themselves for each. */
const DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){30}/m;
/** The line below the head of a table, also in a quote or a list. */
const DELIMITERS = /^[>\s|:-]*$/;

/** Returns whether a block of Markdown takes so long to parse or to show that it is better shown as it is. */
export function isCostly(text: string, mostCharacters: number): boolean {
  if (text.length > mostCharacters || (text.match(MARKS)?.length ?? 0) > MAX_MARKS) return true;
  const lines = text.split(/\r\n|[\r\n]/);
  return lines.length > MAX_LINES || DEEP.test(text) || countCells(lines) > MAX_CELLS;
}

/** The most cells that a table in these lines can have. */
function countCells(lines: readonly string[]): number {
  let most = 0;
  for (const [index, line] of lines.entries()) {
    if (index === 0 || !DELIMITERS.test(line) || !line.includes("-")) continue;
    most = Math.max(most, line.split("|").length * (lines.length - index));
  }
  return most;
}
