import { formatBytes } from "@/lib/contract/format-bytes";
import { readTextFile } from "./read-text-file";

type CsvBounds = {
  maxBytes: number;
  /** What to do about a larger file, without a full stop. */
  tooLarge: string;
};

/** Reads a dropped or chosen file. `fault` says after the field's name why that isn't possible, and what to do. */
export async function readCsvFile(
  file: File,
  { maxBytes, tooLarge }: CsvBounds,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  if (file.size > maxBytes) return { fault: `is larger than ${formatBytes(maxBytes)}. ${tooLarge}` };
  try {
    return { text: await readTextFile(file) };
  } catch {
    return { fault: "could not be read: it may be a folder, or no longer be there. Choose it again." };
  }
}
