import { conflict, Refusal } from "../refusal";
import type { TaskRecord } from "../tasks/task-store";

/** A retry would create another task, so clients must not retry by themselves. */
const headers = { "x-should-retry": "false" };

/** @throws Refusal for a task that has not succeeded. */
export function refuseUnfinished({ id, status, error, endedAtMs }: TaskRecord): void {
  if (status === "succeeded") return;
  if (endedAtMs === null) {
    const message = `The task ${id} is still running. Its files will be available at /v1/tasks/${id}, and are charged once.`;
    throw new Refusal(504, "service_error", "provider_timeout", message, { headers });
  }
  if (status === "canceled") {
    throw conflict("task_id", `The task ${id} was canceled. It cost nothing.`, "task_ended").with({
      headers,
    });
  }
  const message = error?.message ?? "The provider failed.";
  const details = { headers, ...(error && { providerCode: error.code }) };
  throw new Refusal(502, "service_error", "provider_error", message, details);
}
