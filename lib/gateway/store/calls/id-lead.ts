/** The longest time from the moment a call's id is made to its admission: a body may take five minutes to arrive. */
export const ID_LEAD_MS = 10 * 60_000;
