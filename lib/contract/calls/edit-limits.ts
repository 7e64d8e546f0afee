import { type RateLimitField, type RateLimitValues, rateLimitFields } from "./rate-limit-table";

/** Any of the limits; "default" lets one follow the default again. */
type Edit = { readonly [Field in RateLimitField]?: number | null | "default" | undefined };

/** The limits that are set by hand once these fields are. */
export function editLimits(own: Partial<RateLimitValues>, edit: Edit): Partial<RateLimitValues> {
  const edited: Record<string, unknown> = { ...own, ...edit };
  for (const field of rateLimitFields)
    if (edited[field] === "default" || edited[field] === undefined) delete edited[field];
  return edited;
}
