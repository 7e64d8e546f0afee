import * as z from "zod/mini";
import type { ScopeForm } from "./key-scope";

/** The schema of a `ScopeForm`. */
export const scopeForm = z.strictObject({
  models: z.array(z.string()),
  endpoints: z.string(),
}) satisfies z.ZodMiniType<ScopeForm>;
