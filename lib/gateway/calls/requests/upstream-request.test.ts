import { expect, test } from "bun:test";
import { sandboxProvider } from "../../models/providers/provider-directory";
import { ProviderConnection } from "../../providers/provider-connection";
import { ProviderLink } from "../../providers/provider-link";
import type { Refusal } from "../../refusal";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { fetchReply } from "./upstream-request";

const pair = { projectId: "proj_1", keyId: "key_1" };
const route = { provider: "sandbox", model: "m" };

/** A provider whose circuit opens with the second failure in a row, for ten seconds. */
function openLink() {
  const { clock, pass } = simulatedRuntime();
  let status = 200;
  const send = () => ({
    reply: Promise.resolve({ status, contentLength: 0, header: () => null, read: () => null }),
    cancel() {},
  });
  const limits = { ...sandboxProvider.limits, circuit: { failures: 2, pauseMs: 10_000 } };
  const link = new ProviderLink({ ...sandboxProvider, limits }, clock, () => ({ send }));
  return {
    pass,
    link,
    isRefusing: () => link.circuits.refusing(route.model) !== null,
    /** A call that the provider answers with this status. @returns the code of the failure. */
    async answerWith(next: number) {
      status = next;
      link.enter(pair);
      const trial = link.circuits.begin(route.model);
      const connection = new ProviderConnection(link, { route, pair, trial });
      const sent = {
        request: { requestId: "req_1", endpoint: "chat/completions" as const, body: "", stream: false },
        reaching: link.reach(),
        watcher: { onLongCall() {}, onCut() {} },
        findRefusedField: () => null,
      };
      const refusal = await fetchReply(connection, sent).catch((error: unknown) => error);
      connection.close();
      return (refusal as Refusal).code;
    },
  };
}

test.each([402, 405, 408, 409, 425, 429])(
  "a status of %i is a failed call, and shows that the provider is well",
  async (status) => {
    const { link, answerWith, isRefusing, pass } = openLink();
    await answerWith(500);
    const code = await answerWith(status);
    expect(isRefusing()).toBe(false);
    expect(link.failures.last()?.failure.code).toBe(code);
    await answerWith(500);
    expect(isRefusing()).toBe(false);
    await answerWith(500);
    expect(isRefusing()).toBe(true);
    pass(10_000);
    await answerWith(status);
    expect(link.circuits.list()).toEqual([]);
    expect(link.circuits.isQuiet).toBe(true);
  },
);
