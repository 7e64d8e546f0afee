import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, pageQuery, pageSchema, unixSeconds } from "../../schema";
import { withVersion } from "../../version";
import { audioPrice, changesSomePrice, modelPrice, priceChange, unitPrice } from "./models";

/** A change of a model's prices at a future time. */
const scheduledPrice = withVersion(
  z.object({
    object: z.literal("organization.model.scheduled_price"),
    id: z.string(),
    model_id: z.string(),
    /** Calls are admitted at the new price from this time on, or within a second after it. */
    effective_at: unixSeconds,
    /**
     * Set where its time has come and it has not taken effect: until the gateway's clock is trusted, which takes ten
     * minutes after a start or a step by more than a day, or because the model can't have it as it is configured now.
     */
    waits_for: z.optional(z.enum(["clock", "model"])),
    /** Null if it does not change. */
    rate: z.nullable(decimal),
    /** Absent if it does not change; null if batch lines get the model rate of live calls. */
    batch_rate: z.optional(z.nullable(decimal)),
    price: z.nullable(modelPrice),
    unit_price: z.nullable(unitPrice),
    /** Absent if it does not change; null if tokens of audio get the prices of text. */
    audio_price: z.optional(z.nullable(audioPrice)),
    created_at: unixSeconds,
  }),
);
export type ScheduledPrice = z.output<typeof scheduledPrice>;

export const scheduledPriceDraft = z
  .strictObject({ effective_at: unixSeconds, ...priceChange })
  .check(changesSomePrice);
export type ScheduledPriceDraft = z.output<typeof scheduledPriceDraft>;

const path = "/organization/models/{model_id}/scheduled_prices";

export const scheduledPriceOperations = defineOperations(
  { surface: "v1 and origin" },
  {
    listScheduledPrices: {
      method: "GET",
      path,
      scope: "any project",
      permission: "api.models.read",
      summary: "Lists the changes of a model's prices that have not taken effect yet, the next one first.",
      query: pageQuery,
      reply: pageSchema(scheduledPrice),
    },
    createScheduledPrice: {
      method: "POST",
      effect: "creates",
      path,
      scope: "organization",
      permission: "api.models.write",
      summary:
        "Schedules a change of a model's list price or model rate. Calls admitted before it takes effect keep the price they were admitted at.",
      body: scheduledPriceDraft,
      reply: scheduledPrice,
    },
    retrieveScheduledPrice: {
      method: "GET",
      path: `${path}/{scheduled_price_id}`,
      scope: "any project",
      permission: "api.models.read",
      summary: "Returns a change of a model's prices that has not taken effect yet.",
      reply: scheduledPrice,
    },
    deleteScheduledPrice: {
      method: "DELETE",
      effect: "deletes",
      path: `${path}/{scheduled_price_id}`,
      scope: "organization",
      permission: "api.models.write",
      summary: "Takes back a scheduled change of a model's prices that has not taken effect yet.",
      reply: z.object({
        object: z.literal("organization.model.scheduled_price.deleted"),
        id: z.string(),
        deleted: z.literal(true),
      }),
    },
  },
);
