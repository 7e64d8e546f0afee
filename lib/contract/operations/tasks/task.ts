import * as z from "zod/mini";
import { mediaFamilies } from "../../calls/model-families";
import { taskStatuses } from "../../calls/task-statuses";
import { decimal, unixSeconds } from "../../schema";

const mediaFamily = z.enum(mediaFamilies);

/** A call that a media model answers later. */
export const task = z.object({
  id: z.string(),
  object: z.literal("task"),
  model: z.string(),
  /** `queued → running → succeeded | failed | canceled`. The last three are final. */
  status: z.enum(taskStatuses),
  created: unixSeconds,
  /** The id of the call that created it, which has the hold, the charge and the receipt. */
  request_id: z.string(),
  project_id: z.string(),
  family: mediaFamily,
  /** Percent; null if its provider reports none. */
  progress: z.nullable(z.int()),
  started_at: z.nullable(unixSeconds),
  ended_at: z.nullable(unixSeconds),
  cancel_requested: z.boolean(),
  /**
   * `unknown`: the provider may be working on the order, but can't be queried. The order isn't sent again, and its hold
   * stays open.
   */
  provider_state: z.enum(["known", "unknown"]),
  /** The charge; null until it has succeeded. */
  usage: z.nullable(
    z.object({ unit: z.string(), quantity: z.number(), amount: decimal, currency: z.string() }),
  ),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** The files that were made. */
  output: z.array(
    z.object({
      type: mediaFamily,
      mime_type: z.string(),
      bytes: z.int(),
      /** Relative to the gateway's address; null once the file has been deleted because of its age. */
      url: z.nullable(z.string()),
    }),
  ),
});
export type Task = z.output<typeof task>;
