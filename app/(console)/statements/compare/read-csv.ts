const SEPARATORS = [",", ";", "\t"];

/**
 * Reads CSV as spreadsheets write it (RFC 4180): separated by commas, semicolons or tabs, whichever the first line has most of.
 * Lines without any text are left out. @returns null where a quote is not closed.
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

/** The first cell, and how many characters it takes; null where its quote is not closed. */
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
