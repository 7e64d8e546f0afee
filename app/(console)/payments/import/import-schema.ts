import * as z from "zod/mini";
import { formatBytes } from "@/lib/contract/format-bytes";
import { MAX_BYTES } from "./plan-import";

const tooLong = `is longer than ${formatBytes(MAX_BYTES)}. Paste a part of it, beginning with the line that names the columns`;
/** The text of an import. */
export const importForm = z.strictObject({
  csv: z.string().check(z.minLength(1), z.maxLength(MAX_BYTES, tooLong)),
});
