import * as z from "zod/mini";
import { MAX_KEPT_DAYS } from "@/lib/contract/bounds";
import {
  bodyModes,
  MAX_REDACTION_LENGTH,
  MAX_REDACTIONS,
} from "@/lib/contract/operations/calls/request-bodies";
import { splitLines } from "./split-lines";

/** What a project keeps of its prompts and answers, as it is typed. */
export const bodySettingsForm = z.strictObject({
  mode: z.enum(bodyModes),
  retention_days: z.int().check(z.minimum(1), z.maximum(MAX_KEPT_DAYS)),
  redactions: z.string().check(
    z.refine((text) => splitLines(text).length <= MAX_REDACTIONS, {
      message: `has more than ${MAX_REDACTIONS} patterns`,
    }),
    z.refine((text) => splitLines(text).every((line) => line.length <= MAX_REDACTION_LENGTH), {
      message: `has a pattern of more than ${MAX_REDACTION_LENGTH} characters`,
    }),
  ),
});
export type TypedBodySettings = z.output<typeof bodySettingsForm>;
