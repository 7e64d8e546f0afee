import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { decimal, positiveDecimal } from "../../schema";
import { modelPrice, modelPriceDraft, organizationModel } from "./models";

/** A model whose price here isn't that of the catalogue. */
const priceDifference = z.object({
  id: z.string(),
  provider: z.string(),
  /** The model's name at the provider. */
  model: z.string(),
  price: modelPrice,
  /** The catalogue's prices. Other prices here, such as the priority rate, stay. */
  new_price: modelPrice,
  last_month: z.object({
    calls: z.int(),
    charged: decimal,
    /** What its tokens would have cost at the new price and the present model rate, summed: each call is rounded. */
    at_price: decimal,
    at_new_price: decimal,
  }),
});
export type PriceDifference = z.output<typeof priceDifference>;

const priceCheck = z.object({
  object: z.literal("organization.price_check"),
  /** The day of the catalogue that the gateway brings along. */
  catalogue_date: z.string(),
  currency: z.string(),
  /** Models that the catalogue knows and whose price is the same. */
  unchanged: z.int(),
  data: z.array(priceDifference),
});
export type PriceCheck = z.output<typeof priceCheck>;

const MAX_CHANGED = 500;

export const priceChanges = z.strictObject({
  models: z
    .array(
      z.strictObject({
        id: z.string().check(z.minLength(1)),
        /** The price that the model had as the change was planned: it is refused if it has another one now. */
        price: modelPriceDraft,
        new_price: modelPriceDraft,
      }),
    )
    .check(z.minLength(1, "must name at least one model"), z.maxLength(MAX_CHANGED)),
});
export type PriceChanges = z.output<typeof priceChanges>;

export const priceCheckOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    checkPrices: {
      method: "GET",
      path: "/organization/price_check",
      permission: "api.models.write",
      summary:
        "Compares the prices of models with those of the catalogue that the gateway brings along, and says what last month's tokens would have cost at them. Changes none.",
      query: z.strictObject({
        /** What a unit of the currency of list prices is worth in the organization's, where that is another one. */
        exchange_rate: z.optional(positiveDecimal),
      }),
      reply: priceCheck,
    },
    changePrices: {
      method: "POST",
      effect: "acts",
      path: "/organization/price_changes",
      permission: "api.models.write",
      summary:
        "Gives models new prices by tokens, all or none. Refused if one has another price by now than the plan says.",
      body: priceChanges,
      bodyBounds: { bytes: 1024 * 1024, entries: 40_000 },
      reply: z.object({
        object: z.literal("organization.price_changes"),
        models: z.array(organizationModel),
      }),
    },
  },
);
