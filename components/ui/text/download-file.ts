/** Tells spreadsheets that CSV is in UTF-8: they take it for windows-1252 otherwise. */
const BYTE_ORDER_MARK = "\ufeff";

/** Downloads a text as a file. */
export function downloadFile(name: string, type: `text/${string}` | "application/json", text: string): void {
  const start = type === "text/csv" ? BYTE_ORDER_MARK : "";
  const address = URL.createObjectURL(new Blob([start, text], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
