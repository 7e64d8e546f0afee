import { expect, test } from "bun:test";
import { sandboxProvider } from "../../models/providers/provider-directory";
import { ProviderConnection } from "../../providers/provider-connection";
import { ProviderLinks } from "../../providers/provider-link";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { describeAttempt } from "../requests/upstream-request";

test("the times of an attempt are on the injected clock, as are those of its call", () => {
  const { clock, pass } = simulatedRuntime();
  const callStartedAtMs = clock.monotonicMs();
  pass(1_000);
  const link = new ProviderLinks(clock).to(sandboxProvider);
  const pair = { projectId: "proj_1", keyId: "key_1" };
  const route = { provider: "sandbox", model: "m" };
  link.enter(pair);
  const connection = new ProviderConnection(link, { route, pair });
  pass(2_000);
  connection.noteReached();
  pass(4_000);
  connection.noteAnswered({ status: 200, contentLength: null, header: () => null, read: async () => null });
  expect(describeAttempt(connection, callStartedAtMs, null)).toMatchObject({
    started_ms: 1_000,
    reached_ms: 3_000,
    answered_ms: 7_000,
  });
  connection.close();
});
