import { expect, test } from "bun:test";
import { ConnectTimeout } from "../http/outbound/allowed-addresses";
import { sandboxProvider } from "../models/providers/provider-directory";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { ProviderConnection } from "./provider-connection";
import { ProviderLink } from "./provider-link";

const never = new Promise<never>(() => {});
const pair = { projectId: "proj_1", keyId: "key_1" };
const reply = { status: 200, contentLength: null, header: () => null, read: () => never };

/** A provider whose connections are accepted or refused by hand. */
function openLink() {
  const { clock, pass } = simulatedRuntime();
  const reached = Promise.withResolvers<void>();
  const client = { reach: () => reached.promise, send: () => ({ reply: never, cancel() {} }) };
  const link = new ProviderLink(sandboxProvider, clock, () => client);
  return {
    pass,
    call() {
      link.enter(pair);
      const route = { provider: "sandbox", model: "m" };
      const connection = new ProviderConnection(link, { route, pair });
      void connection.send(
        { requestId: "req_1", endpoint: "chat/completions", body: "", stream: true },
        { onLongCall() {}, onCut() {} },
      );
      return connection;
    },
    async timeOut() {
      reached.reject(new ConnectTimeout("It accepted no connection"));
      await new Promise(setImmediate);
    },
  };
}

test("a silent provider that accepts no connection is given up", async () => {
  const { call, timeOut } = openLink();
  const connection = call();
  connection.onSilence();
  await timeOut();
  expect(connection.cutoff).toBe("unreachable");
});

test("a reply that begins while its silent provider is checked goes on, as do the others waiting for it", async () => {
  const { call, timeOut, pass } = openLink();
  const [answered, waiting] = [call(), call()];
  answered.onSilence();
  waiting.onSilence();
  pass(1);
  answered.noteAnswered(reply);
  await timeOut();
  expect([answered.cutoff, waiting.cutoff]).toEqual([null, null]);
  answered.close();
  waiting.close();
});
