import * as z from "zod/mini";
import { taskStatuses } from "../../calls/task-statuses";
import { defineOperations } from "../../operation";
import { binary, eventStream } from "../../raw-reply";
import { pageQuery, pageSchema } from "../../schema";
import { task } from "./task";

const taskQuery = z.extend(pageQuery, {
  project_id: z.optional(z.string()),
  status: z.optional(z.enum(taskStatuses)),
  model: z.optional(z.string()),
});

export const taskOperations = {
  ...defineOperations(
    { surface: "v1", scope: "any project" },
    {
      listTasks: {
        method: "GET",
        path: "/tasks",
        limitedKeys: ["chat_completions", "images", "videos"],
        permission: "api.tasks.read",
        summary: "Lists the tasks of image, video and music models, newest first.",
        query: taskQuery,
        reply: pageSchema(task),
      },
      retrieveTask: {
        method: "GET",
        path: "/tasks/{task_id}",
        limitedKeys: ["chat_completions", "images", "videos"],
        permission: "api.tasks.read",
        summary: "Returns a task: how far it is, or what it made, cost or failed by.",
        reply: task,
      },
      cancelTask: {
        method: "POST",
        effect: "acts",
        path: "/tasks/{task_id}/cancel",
        limitedKeys: ["chat_completions", "images", "videos"],
        permission: "api.tasks.write",
        summary:
          "Asks for a task to be canceled. It costs nothing unless its provider has finished it before.",
        reply: task,
      },
      streamTaskEvents: {
        method: "GET",
        path: "/tasks/{task_id}/events",
        limitedKeys: ["chat_completions", "images", "videos"],
        permission: "api.tasks.read",
        summary: "Streams a task as server-sent events, each time it has changed, until it has ended.",
        reply: eventStream,
      },
      retrieveTaskOutput: {
        method: "GET",
        path: "/tasks/{task_id}/output/{position}",
        limitedKeys: ["chat_completions", "images", "videos"],
        permission: "api.tasks.read",
        summary:
          "Returns a file that a task made, or the part of it that the header Range asks for. For whoever made the task, calls models in its project, or may read request bodies there.",
        reply: binary("*/*"),
      },
    },
  ),
  ...defineOperations(
    {
      surface: "v1 and origin",
      scope: "own",
      permission: {
        open: "to every caller",
        because: "A task is followed and canceled by whoever made it, as its call is theirs to see.",
      },
    },
    {
      listOwnTasks: {
        method: "GET",
        path: "/organization/me/tasks",
        limitedKeys: ["chat_completions", "images", "videos"],
        summary: "Lists the tasks that the member or key who asks has made, in any project, newest first.",
        query: taskQuery,
        reply: pageSchema(task),
      },
      retrieveOwnTask: {
        method: "GET",
        path: "/organization/me/tasks/{task_id}",
        limitedKeys: ["chat_completions", "images", "videos"],
        summary: "Returns a task that the member or key who asks has made, also as another key.",
        reply: task,
      },
      streamOwnTaskEvents: {
        method: "GET",
        path: "/organization/me/tasks/{task_id}/events",
        limitedKeys: ["chat_completions", "images", "videos"],
        summary:
          "Streams one of the caller's own tasks as server-sent events, each time it has changed, until it has ended.",
        reply: eventStream,
      },
      retrieveOwnTaskOutput: {
        method: "GET",
        path: "/organization/me/tasks/{task_id}/output/{position}",
        limitedKeys: ["chat_completions", "images", "videos"],
        summary:
          "Returns a file that one of the caller's own tasks made, or the part of it that the header Range asks for.",
        reply: binary("*/*"),
      },
      cancelOwnTask: {
        method: "POST",
        effect: "acts",
        path: "/organization/me/tasks/{task_id}/cancel",
        limitedKeys: ["chat_completions", "images", "videos"],
        summary:
          "Asks for one of the caller's own tasks to be canceled. It costs nothing unless its provider has finished it before.",
        reply: task,
      },
    },
  ),
};
