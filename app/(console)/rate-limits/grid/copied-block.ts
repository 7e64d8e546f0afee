import { parseCsv } from "@/lib/contract/parse-csv";
import type { LimitDraft } from "./limit-draft";
import { applies, limitField, savedValue } from "./limit-pair";
import type { Block } from "./plan-edits";

/** Reads what a spreadsheet puts on the clipboard: cells apart by tabs, rows by line ends, with quotes where needed. */
export function readCopied(text: string): readonly (readonly string[])[] {
  const { rows, brokenLine } = parseCsv(text, { separator: "\t", keepsBlank: true });
  // Text with a lone quote comes from elsewhere.
  if (brokenLine !== null) return text.split(/\r?\n/).map((line) => line.split("\t"));
  return rows.map(({ cells }) => cells);
}

/** Writes the block as a spreadsheet takes it. */
export function writeCopied(draft: LimitDraft, { pairs, columns }: Block): string {
  return pairs
    .map((pair) =>
      columns
        .map((column) => {
          const field = limitField(column);
          if (!applies(pair, field)) return "n/a";
          const cell = draft.cell(pair.key, field.name);
          if (cell?.fault !== undefined) return cell.typed.replaceAll(/[\t\n"]/g, " ");
          const value = cell ? cell.to : savedValue(pair, field.name).value;
          return value === null ? "no limit" : String(value);
        })
        .join("\t"),
    )
    .join("\n");
}
