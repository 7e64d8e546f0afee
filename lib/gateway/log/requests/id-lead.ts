import { MINUTE_MS } from "@/lib/contract/durations";

/** The longest time from a call's id to its admission: a body may take five minutes to arrive. */
export const ID_LEAD_MS = 10 * MINUTE_MS;
