import { newId } from "@/lib/contract/ids";
import type { Effects } from "../../effects";
import { conflict } from "../../refusal";
import {
  type CallbackReceiver,
  describeCallbackFailure,
  postSigned,
  readCallbackStatus,
} from "./post-signed";

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
export function createTestSender({ effects: { clock, random } }: { readonly effects: Effects }) {
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
