import * as z from "zod/mini";
import { DAY_S } from "@/lib/contract/durations";

/** The lifetimes offered for a new key, in days. */
const lifetimeNames = ["never", "7", "30", "90", "365"] as const;

/** "never", or the number of days until the key expires. */
export const keyLifetime = z.enum(lifetimeNames);

export type KeyLifetime = z.output<typeof keyLifetime>;

export const lifetimeOptions = lifetimeNames.map((value) => ({
  value,
  label: value === "never" ? "Never" : value === "365" ? "After one year" : `After ${value} days`,
}));

/** Converts a lifetime to the request's field: seconds from now, absent for a key that doesn't expire. */
export function toExpiry(lifetime: KeyLifetime): { expires_in_seconds?: number } {
  return lifetime === "never" ? {} : { expires_in_seconds: Number(lifetime) * DAY_S };
}
