import * as z from "zod/mini";
import type { KeyLimitsForm } from "./key-limits";

/** The schema of a `KeyLimitsForm`. */
export const keyLimitsForm = z.strictObject({
  models: z.array(z.string()),
  endpoints: z.string(),
}) satisfies z.ZodMiniType<KeyLimitsForm>;
