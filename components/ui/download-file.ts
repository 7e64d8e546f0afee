/** Downloads a text as a file. */
export function downloadFile(name: string, type: `text/${string}` | "application/json", text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
