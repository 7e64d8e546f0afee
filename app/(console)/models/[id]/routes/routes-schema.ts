import * as z from "zod/mini";
import { hasPriceToCompare, listRouteGroups, routeOrders } from "@/lib/contract/calls/route-groups";
import { modelRoutePrice } from "@/lib/contract/operations/models/models";

const MAX_WEIGHT = 1_000;
const whole = z.int().check(z.minimum(0), z.maximum(MAX_WEIGHT));

/** The routes of a model as they are edited. */
export const routesSchema = z.strictObject({
  routes: z
    .array(
      z.strictObject({
        provider: z.string(),
        model: z.string(),
        group: z.int(),
        weight: z.nullable(whole),
        order: z.enum(routeOrders),
        context_window: z.nullable(z.int()),
        ends_at: z.nullable(z.int()),
        price: z.nullable(modelRoutePrice),
        ended_early: z.nullable(z.string()),
      }),
    )
    .check(
      z.refine((routes) => routes.every(({ weight }) => weight !== null), {
        message: "Give each route a weight from 0 to 1,000.",
      }),
      z.refine((routes) => routes.some(({ weight, ends_at }) => weight !== 0 && ends_at === null), {
        message: "Leave one route with a weight and without an end.",
      }),
      z.refine((routes) => listRouteGroups(routes).every(hasPriceToCompare), {
        message: "Give a route of the group the price of its provider, so that there is a cheapest.",
      }),
    ),
});
