import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { binary } from "../../raw-reply";
import { notSupported, orderedPageQuery, pageSchema, unixSeconds } from "../../schema";
import { modelName } from "../calls/completions";

/** Follows OpenAI's API reference, "Create video". Unknown fields are passed on to the provider. */
export const videoRequest = z.looseObject({
  model: modelName,
  prompt: z.string().check(z.minLength(1)),
  seconds: z.optional(z.nullable(z.union([z.string(), z.int()]))),
  size: z.optional(z.nullable(z.string())),
  input_reference: notSupported,
  /** The address to which the callback for the task's end is sent. */
  callback_url: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
});

/** A video model's task in the form of OpenAI's API, with the same id. */
const video = z.object({
  id: z.string(),
  object: z.literal("video"),
  model: z.string(),
  /** A canceled task is shown as failed with the code `canceled`. */
  status: z.enum(["queued", "in_progress", "completed", "failed"]),
  /** Percent. */
  progress: z.int(),
  created_at: unixSeconds,
  completed_at: z.nullable(unixSeconds),
  expires_at: z.null(),
  seconds: z.nullable(z.string()),
  size: z.nullable(z.string()),
  /** Prompts are deleted once a task has ended. */
  prompt: z.null(),
  remixed_from_video_id: z.null(),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
});
export type Video = z.output<typeof video>;

export const videoOperations = defineOperations(
  { surface: "v1", scope: "any project" },
  {
    createVideo: {
      method: "POST",
      effect: "pays",
      path: "/videos",
      limitedKeys: ["videos"],
      scope: "named project",
      permission: "api.completions.write",
      sessionPermission: "api.playground.write",
      summary:
        "Begins a video, from JSON or from a form (multipart/form-data) of the same fields. It is a task as well: it can be followed and canceled at /v1/tasks. With an Idempotency-Key, a repeat within 24 hours gets the same video and no second charge.",
      body: videoRequest,
      reply: video,
    },
    listVideos: {
      method: "GET",
      path: "/videos",
      limitedKeys: ["videos"],
      permission: "api.tasks.read",
      summary: "Lists videos, newest first, or oldest first with order=asc.",
      query: orderedPageQuery,
      reply: pageSchema(video),
    },
    retrieveVideo: {
      method: "GET",
      path: "/videos/{video_id}",
      limitedKeys: ["videos"],
      permission: "api.tasks.read",
      summary: "Returns a video: how far it is, or why it failed.",
      reply: video,
    },
    retrieveVideoContent: {
      method: "GET",
      path: "/videos/{video_id}/content",
      limitedKeys: ["videos"],
      permission: "api.tasks.read",
      summary:
        "Returns the file of a video that is completed, or the part of it that the header Range asks for.",
      query: z.strictObject({ variant: z.optional(z.literal("video")) }),
      reply: binary("video/*"),
    },
    deleteVideo: {
      method: "DELETE",
      effect: "acts",
      path: "/videos/{video_id}",
      limitedKeys: ["videos"],
      permission: "api.tasks.write",
      summary: "Deletes the file of a video that has ended. Its task, receipt and charge stay.",
      reply: z.object({ id: z.string(), object: z.literal("video.deleted"), deleted: z.literal(true) }),
    },
  },
);
