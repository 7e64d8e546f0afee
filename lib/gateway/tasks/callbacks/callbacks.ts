import { newId } from "@/lib/contract/ids";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Clock, ClockAndRandom } from "../../clock";
import { conflict, Refusal } from "../../refusal";
import {
  type CallbackReceiver,
  describeCallbackFailure,
  listRecentRotations,
  postSigned,
  readCallbackStatus,
  type SecretVersion,
} from "./post-callback";
import type { CallbackLog, TaskCallbackStore } from "./task-callbacks.sql";

/** @throws Refusal 404 for a task that has not ended, or that has no callback. */
export async function findCallbackLog(
  { taskCallbacks }: { readonly taskCallbacks: Pick<TaskCallbackStore, "find"> },
  taskId: string,
): Promise<CallbackLog> {
  const log = await taskCallbacks.find(taskId);
  if (log) return log;
  const message = `The task "${taskId}" has no callback: it was made without callback_url, or has not ended.`;
  throw new Refusal(404, "not_found_error", "no_callback", message, { param: "task_id" });
}

interface ResendContext extends ChangeContext {
  readonly taskCallbacks: Pick<TaskCallbackStore, "find" | "sendAgain">;
  readonly runtime: { readonly clock: Clock };
}

/**
 * Queues a task's callback again, starting with the first try.
 * @param findTask finds the task if the caller may change it. It is called within the transaction.
 * @throws Refusal 404 for a task that has not ended, or that has no callback.
 */
export function resendCallback(
  context: ResendContext,
  request: ChangeRequest,
  findTask: () => Promise<{ readonly id: string }>,
): Promise<void> {
  return change(context, request, async (transaction) => {
    const { id } = await findTask();
    await findCallbackLog(context, id);
    await context.taskCallbacks.sendAgain(transaction, id, context.runtime.clock.nowMs());
  });
}

/** The maximum number of replaced secrets that still sign. Every callback carries a signature of each. */
const MAX_REPLACED = 4;

export interface SecretContext extends ChangeContext {
  readonly taskCallbacks: TaskCallbackStore;
  readonly runtime: { readonly clock: Clock };
}

/**
 * Gives a project a new signing secret. Each replaced one keeps signing for 24 hours, so that receivers can switch.
 * @throws Refusal 412 if the secret to replace is no longer the present one, 409 if too many replaced ones still sign.
 */
export function rotateCallbackSecret(
  context: SecretContext,
  request: ChangeRequest,
  { projectId, replaces }: { readonly projectId: string; readonly replaces: number },
): Promise<SecretVersion> {
  const { taskCallbacks, runtime } = context;
  return change(context, request, async (transaction) => {
    const current = await taskCallbacks.findSecret(projectId);
    if (current.version !== replaces) throw alreadyReplaced(current.version);
    const nowMs = runtime.clock.nowMs();
    const recent = listRecentRotations(current, nowMs);
    if (recent.length >= MAX_REPLACED) throw rotatedTooOften();
    const rotatedSecret = { version: current.version + 1, rotationsMs: [nowMs, ...recent] };
    await taskCallbacks.saveSecret(transaction, projectId, rotatedSecret);
    return rotatedSecret;
  });
}

function alreadyReplaced(version: number): Refusal {
  const message = `The present secret is number ${version}. Retrieve it, and name it in replaces if it is the one to replace.`;
  return new Refusal(412, "conflict_error", "stale_version", message, { param: "replaces" });
}

function rotatedTooOften(): Refusal {
  const message = `The secret was replaced ${MAX_REPLACED} times within 24 hours, and each replaced secret signs for that long. Replace it again once the first of them has ended.`;
  return conflict("replaces", message, "limit_reached");
}

/** A test callback after its only try. */
export interface SentTest {
  readonly callbackId: string;
  /** JSON, as it was sent. */
  readonly body: string;
  readonly atMs: number;
  readonly tookMs: number;
  /** The status of the reply; null without a reply. */
  readonly status: number | null;
  /** Why it was not delivered; null if it was. */
  readonly failure: string | null;
}

/**
 * Creates a function that sends a project's test callback to a receiver and waits for its reply. It sends one at a time
 * for each project: a test keeps a request open for as long as the receiver takes, at most 15 s.
 * @returns a function that throws Refusal 409 while the project's last test is still running.
 */
export function createTestSender({ runtime: { clock, random } }: { readonly runtime: ClockAndRandom }) {
  const runningTests = new Set<string>();
  return async (projectId: string, receiver: CallbackReceiver): Promise<SentTest> => {
    if (runningTests.has(projectId)) throw testIsRunning();
    runningTests.add(projectId);
    try {
      const [atMs, startedAtMs] = [clock.nowMs(), clock.monotonicMs()];
      const callbackId = newId("test", atMs, random);
      const timestamp = new Date(atMs).toISOString();
      const body = JSON.stringify({ type: "callback.test", timestamp, data: { project_id: projectId } });
      const message = { id: callbackId, body, atMs };
      const reply = await postSigned(() => receiver, message, new AbortController().signal);
      const tookMs = Math.round(clock.monotonicMs() - startedAtMs);
      return {
        callbackId,
        body,
        atMs,
        tookMs,
        status: readCallbackStatus(reply),
        failure: describeCallbackFailure(reply),
      };
    } finally {
      runningTests.delete(projectId);
    }
  };
}

function testIsRunning() {
  const message = "The project’s last test callback has had no reply yet: wait at most 15 seconds.";
  return conflict("project_id", message, "limit_reached");
}
