import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { unixSeconds } from "../../schema";

/** One try to deliver a callback. */
const callbackTry = z.object({
  at: unixSeconds,
  took_ms: z.int(),
  /** The status of the reply; null if there was none. */
  status: z.nullable(z.int()),
  /** Why it was not delivered; null if it was. */
  failure: z.nullable(z.string()),
});

/** The deliveries of the callback for a task's end. */
const taskCallback = z.object({
  object: z.literal("task.callback"),
  task_id: z.string(),
  /** Null if the gateway's secret has changed. */
  url: z.nullable(z.string()),
  /** `exhausted`: no further automatic tries; it can be sent again on request. */
  status: z.enum(["pending", "delivered", "exhausted"]),
  next_try_at: z.nullable(unixSeconds),
  /** The last 100, oldest first. */
  tries: z.array(callbackTry),
});
export type TaskCallback = z.output<typeof taskCallback>;

/** The secret that signs a project's callbacks, as in Standard Webhooks. */
const callbackSecret = z.object({
  object: z.literal("callback_secret"),
  project_id: z.string(),
  /** `whsec_…` */
  secret: z.string(),
  /** 1 for the first secret, and one more with each replacement. */
  number: z.int(),
  /** Until when the previous secret also signs; null if it no longer does. */
  previous_ends_at: z.nullable(unixSeconds),
});

export type CallbackSecret = z.output<typeof callbackSecret>;

/** The number of the secret to replace. If two people rotate at the same time, only the first rotation takes effect. */
export const callbackSecretRotation = z.strictObject({ replaces: z.int().check(z.minimum(1)) });

export const testCallbackRequest = z.strictObject({
  callback_url: z.string().check(z.trim(), z.minLength(1), z.maxLength(2_000)),
});

/** The result of a test callback. It is tried once and stored nowhere. */
const testCallback = z.extend(callbackTry, {
  object: z.literal("callback.test"),
  project_id: z.string(),
  /** The header `webhook-id` that it was sent with. */
  webhook_id: z.string(),
  /** The body that was sent: JSON. */
  body: z.string(),
});
export type TestCallback = z.output<typeof testCallback>;

export const taskCallbackOperations = {
  ...defineOperations(
    { surface: "v1", scope: "any project" },
    {
      retrieveTaskCallback: {
        method: "GET",
        path: "/tasks/{task_id}/callback",
        limitedKeys: ["chat_completions", "images", "videos"],
        permission: "api.tasks.read",
        summary: "Returns each try to tell a task's end to its callback_url, and when the next one is.",
        reply: taskCallback,
      },
      sendTaskCallback: {
        method: "POST",
        effect: "acts",
        path: "/tasks/{task_id}/callback/send",
        limitedKeys: ["chat_completions", "images", "videos"],
        permission: "api.tasks.write",
        summary: "Sends a task's callback again under the same webhook-id, starting with the first try.",
        reply: taskCallback,
      },
    },
  ),
  ...defineOperations(
    { surface: "v1 and origin", scope: "project", permission: "api.tasks.write" },
    {
      retrieveCallbackSecret: {
        method: "GET",
        path: "/organization/projects/{project_id}/callback_secret",
        summary: "Returns the secret that a project's callbacks are signed with.",
        reply: callbackSecret,
      },
      rotateCallbackSecret: {
        method: "POST",
        effect: "acts",
        path: "/organization/projects/{project_id}/callback_secret/rotate",
        summary:
          "Gives a project a new secret for its callbacks in the place of the one whose number is named. That one signs too for 24 hours, and so do up to three that were replaced before it.",
        body: callbackSecretRotation,
        reply: callbackSecret,
      },
      sendTestCallback: {
        method: "POST",
        effect: "acts",
        path: "/organization/projects/{project_id}/callback_secret/test",
        summary:
          "Sends a callback of the type callback.test to an address, signed with a project's secret, and returns how its receiver answered. It is sent once.",
        body: testCallbackRequest,
        reply: testCallback,
      },
    },
  ),
};
