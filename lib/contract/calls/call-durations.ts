import { DAY_MS, HOUR_MS } from "../durations";

/** The longest time limit that requests to a provider can be given. */
export const MAX_REQUEST_MS = HOUR_MS;

/** No attempt of a call begins later than after some minutes. Its hold is settled no later than this. */
export const MAX_CALL_MS = 2 * MAX_REQUEST_MS;

/** A task's worker ends it earlier. */
export const MAX_TASK_MS = DAY_MS;
