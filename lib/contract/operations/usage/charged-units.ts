import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, unixSeconds, wholeNumber } from "../../schema";

/** The units of a model that were charged: images, seconds, characters and so on, by project and list price. */
const chargedUnits = z.object({
  object: z.literal("organization.model.charged_units"),
  model: z.string(),
  start_time: unixSeconds,
  end_time: unixSeconds,
  currency: z.string(),
  data: z.array(
    z.object({
      project_id: z.string(),
      /** The project's current name; null if it is no longer known. */
      project_name: z.nullable(z.string()),
      unit: z.string(),
      /** The list price of one unit at the time of the calls. */
      list_price: decimal,
      units: decimal,
      calls: z.int(),
      /** What was charged for them. */
      amount: decimal,
    }),
  ),
});
export type ChargedUnits = z.output<typeof chargedUnits>;

export const chargedUnitOperations = defineOperations(
  { surface: "v1 and origin", scope: "any project", permission: "api.usage.read" },
  {
    retrieveChargedUnits: {
      method: "GET",
      path: "/organization/models/{model_id}/charged_units",
      summary:
        "Sums the units of a model that is priced by the unit, with what was charged for them, by project and list price. Callers who hold the permission in a project get that project's units.",
      query: z.strictObject({
        /** Unix seconds, inclusive. */
        start_time: wholeNumber(11),
        /** Unix seconds, exclusive. */
        end_time: wholeNumber(11),
      }),
      reply: chargedUnits,
    },
  },
);
