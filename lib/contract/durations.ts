/** Durations in milliseconds and seconds. A day is 24 hours: the gateway uses UTC, which has no daylight saving. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const MINUTE_S = MINUTE_MS / SECOND_MS;
export const HOUR_S = HOUR_MS / SECOND_MS;
export const DAY_S = DAY_MS / SECOND_MS;

/** The longest time limit that requests to a provider can be given. */
export const MAX_REQUEST_MS = HOUR_MS;

/** No attempt of a call begins later than after some minutes. Its hold is settled no later than this. */
export const MAX_CALL_MS = 2 * MAX_REQUEST_MS;

/** A task's worker ends it earlier. */
export const MAX_TASK_MS = DAY_MS;
