type Transfer = Pick<DataTransfer, "types"> & {
  readonly files: Iterable<File> & { readonly length: number };
};
type Attach = (files: File[]) => void;

/** Attaches dropped files. Leaves text to the browser. */
export function takeDropped(
  event: { dataTransfer: Transfer; preventDefault: () => void },
  attach: Attach,
): void {
  take(event, event.dataTransfer, attach);
}

/** Attaches pasted files. Leaves text to the browser, also if a picture of it comes along, as from a spreadsheet. */
export function takePasted(
  event: { clipboardData: Transfer; preventDefault: () => void },
  attach: Attach,
): void {
  const { types } = event.clipboardData;
  // A copied file has its name as plain text, and a copied picture its address as HTML; only text has both.
  if (types.includes("text/plain") && types.includes("text/html")) return;
  take(event, event.clipboardData, attach);
}

function take(event: { preventDefault: () => void }, { files }: Transfer, attach: Attach): void {
  if (files.length === 0) return;
  event.preventDefault();
  attach([...files]);
}
