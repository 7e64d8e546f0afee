import * as z from "zod/mini";
import type { KeyScopeForm } from "./key-scope";

/** The schema of a `KeyScopeForm`. */
export const keyScopeForm = z.strictObject({
  models: z.array(z.string()),
  endpoints: z.string(),
}) satisfies z.ZodMiniType<KeyScopeForm>;
