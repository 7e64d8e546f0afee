/** The longest time from a call's id to its admission: a body may take five minutes to arrive. */
export const ID_LEAD_MS = 10 * 60_000;
