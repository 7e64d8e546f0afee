import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { secretText } from "../../schema";
import { adminApiKey } from "./admin-api-keys";
import { projectApiKey } from "./project-api-keys";

/** A key that was found somewhere, and its state. */
const foundApiKey = z.object({
  object: z.literal("organization.found_api_key"),
  /** `active` keys still work; the others are refused. */
  status: z.enum(["active", "expired", "revoked"]),
  project_api_key: z.nullable(projectApiKey),
  /** Null for an admin key. */
  project: z.nullable(z.object({ id: z.string(), name: z.string() })),
  admin_api_key: z.nullable(adminApiKey),
});
export type FoundApiKey = z.output<typeof foundApiKey>;

export const foundApiKeyOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.project_api_keys.read" },
  {
    findApiKey: {
      method: "POST",
      effect: "acts",
      path: "/organization/find_api_key",
      summary:
        "Says whose a key is that was found somewhere, by the whole key; an admin key needs api.admin_api_keys.read.",
      body: z.strictObject({ value: secretText }),
      reply: foundApiKey,
    },
  },
);
