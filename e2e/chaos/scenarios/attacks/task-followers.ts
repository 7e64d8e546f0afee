import { fetchWithKey } from "@/e2e/support/clients/send";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { keepCalling } from "../../clients/keep-calling";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, startFaultStage } from "../../start-stage";

/** The streams that one key may have open. */
const SHARE = 250;
const CALLS_BESIDE = 200;

export const taskFollowers: Scenario = {
  name: "task-followers",
  does: "{size} streams of one key that follow one task, of which it gets 250, beside honest streams",
  full: 6_000,
  smoke: 300,
  async run({ size }) {
    const stage = await startFaultStage({ keyCount: 10 });
    const leave = new AbortController();
    try {
      const key = stage.keys[0]?.value ?? "";
      const made = await fetchWithKey(`${stage.baseUrl}/chat/completions`, {
        key,
        body: { model: "sandbox-image", prompt: "x", sandbox: { takes_ms: 600_000 } },
      });
      const { id } = (await made.json()) as Task;
      const follow = () => fetchWithKey(`${stage.baseUrl}/tasks/${id}/events`, { key, signal: leave.signal });
      const replies = await Promise.all(Array.from({ length: size }, follow));
      const calls = await keepCalling(stage, {
        next: (count) =>
          count < CALLS_BESIDE && {
            model: PLAIN_MODEL.id,
            isStream: true,
            script: { promptTokens: 5, completionTokens: 10, gapMs: 1 },
          },
      });
      // A reply that nobody holds is closed, so these are read after the calls.
      const open = replies.filter(({ status }) => status === 200).length;
      const refused = replies.filter(({ status }) => status === 429).length;
      const incomplete = calls.filter(({ isComplete }) => !isComplete).length;
      return {
        faults: [
          ...(open === SHARE ? [] : [`${open} streams of the key are open, not ${SHARE}`]),
          ...(open + refused === size ? [] : ["Some streams were answered with neither 200 nor 429"]),
          ...(incomplete > 0 ? [`${incomplete} of ${calls.length} honest streams broke off`] : []),
        ],
        figures: { open, refused, calls: calls.length },
      };
    } finally {
      leave.abort();
      await stage.stop();
    }
  },
};
