import * as z from "zod/mini";
import { mediaFamilies } from "../model-families";
import { defineOperation } from "../operation";
import { decimal, pageOf, pageQuery, unixSeconds } from "../schema";

export const taskStatuses = ["queued", "running", "succeeded", "failed", "canceled"] as const;
const mediaFamily = z.enum(mediaFamilies);

/** Specification section 2.4. */
export const task = z.object({
  id: z.string(),
  object: z.literal("task"),
  model: z.string(),
  /** `queued → running → succeeded | failed | canceled`; nothing leaves one of the last three. */
  status: z.enum(taskStatuses),
  created: unixSeconds,
  /** The call that made it: its hold, charge and receipt. */
  request_id: z.string(),
  project_id: z.string(),
  family: mediaFamily,
  /** Percent; null where its provider gives none. */
  progress: z.nullable(z.int()),
  started_at: z.nullable(unixSeconds),
  ended_at: z.nullable(unixSeconds),
  cancel_requested: z.boolean(),
  /** `unknown`: its provider may be making it and can't be asked. It is not sent again, and its hold stays. */
  provider_state: z.enum(["known", "unknown"]),
  /** What was charged; null until it has succeeded. */
  usage: z.nullable(
    z.object({ unit: z.string(), quantity: z.number(), amount: decimal, currency: z.string() }),
  ),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** The files it made. */
  output: z.array(
    z.object({
      type: mediaFamily,
      mime_type: z.string(),
      bytes: z.int(),
      /** Relative to the gateway's own address; null once the file is older than it is kept. */
      url: z.nullable(z.string()),
    }),
  ),
});
export type Task = z.output<typeof task>;

export const taskOperations = {
  listTasks: defineOperation({
    id: "listTasks",
    method: "GET",
    path: "/tasks",
    surface: "v1",
    scope: "any project",
    permission: "api.tasks.read",
    summary: "Lists the tasks of image, video and music models, newest first.",
    query: z.extend(pageQuery, {
      project_id: z.optional(z.string()),
      status: z.optional(z.enum(taskStatuses)),
      model: z.optional(z.string()),
    }),
    reply: pageOf(task),
  }),
  retrieveTask: defineOperation({
    id: "retrieveTask",
    method: "GET",
    path: "/tasks/{task_id}",
    surface: "v1",
    scope: "any project",
    permission: "api.tasks.read",
    summary: "Returns a task: how far it is, or what it made, cost or failed by.",
    reply: task,
  }),
  cancelTask: defineOperation({
    id: "cancelTask",
    method: "POST",
    effect: "acts",
    path: "/tasks/{task_id}/cancel",
    surface: "v1",
    scope: "any project",
    permission: "api.tasks.write",
    summary: "Asks for a task to be canceled. It costs nothing unless its provider has finished it before.",
    reply: task,
  }),
  streamTaskEvents: defineOperation({
    id: "streamTaskEvents",
    method: "GET",
    path: "/tasks/{task_id}/events",
    surface: "v1",
    scope: "any project",
    permission: "api.tasks.read",
    summary: "Streams a task as server-sent events, each time it has changed, until it has ended.",
    reply: z.string(),
  }),
  retrieveTaskOutput: defineOperation({
    id: "retrieveTaskOutput",
    method: "GET",
    path: "/tasks/{task_id}/output/{position}",
    surface: "v1",
    scope: "any project",
    permission: "api.tasks.read",
    summary: "Returns a file that a task made, or the part of it that the header Range asks for.",
    reply: z.string(),
  }),
};
