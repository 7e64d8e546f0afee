const SEPARATORS = [",", ";", "\t"];

/**
 * Parses CSV as spreadsheets write it (RFC 4180). The separator is the most frequent of comma, semicolon and tab in the first
 * line. Skips blank lines. @returns null if a quote isn't closed.
 */
export function readCsv(text: string): string[][] | null {
  const body = text.replace(/^\uFEFF/, "");
  const separator = separatorOf(body);
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = body;
  while (rest !== "") {
    const cell = readCell(rest, separator);
    if (!cell) return null;
    row.push(cell.value.trim());
    rest = rest.slice(cell.length);
    if (rest.startsWith(separator)) {
      rest = rest.slice(1);
      if (rest !== "") continue;
      row.push("");
    }
    rest = rest.replace(/^(\r\n|\n|\r)/, "");
    if (row.some((value) => value !== "")) rows.push(row);
    row = [];
  }
  return rows;
}

/** Returns the first cell and its length in the text; null if its quote isn't closed. */
function readCell(text: string, separator: string): { value: string; length: number } | null {
  const quoted = /^[ ]*"((?:[^"]|"")*)"[ ]*/.exec(text);
  if (quoted) return { value: (quoted[1] ?? "").replaceAll('""', '"'), length: quoted[0].length };
  if (/^[ ]*"/.test(text)) return null;
  const end = text.search(separator === "\t" ? /[\t\r\n]/ : separator === ";" ? /[;\r\n]/ : /[,\r\n]/);
  const value = end < 0 ? text : text.slice(0, end);
  return { value, length: value.length };
}

function separatorOf(text: string): string {
  const [line = ""] = text.replaceAll(/"(?:[^"]|"")*"/g, "").split(/\r|\n/, 1);
  const count = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, other) => (count(other) > count(best) ? other : best));
}
