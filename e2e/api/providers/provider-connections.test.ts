import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { serveGateway } from "../../support/gateways/serve-gateway";
import { scriptedConfiguration } from "../../support/servers/scripted-provider";

const completion = JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
const CALLS = 200;

test("a provider that closes its connections without a word costs no caller an answer, and gets each call once", async () => {
  let visits = 0;
  const provider = createServer((socket) => {
    let received = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received += bytes.toString();
      if (!received.endsWith("}")) return;
      received = "";
      visits++;
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${completion.length}\r\n\r\n${completion}`);
      // At once, or while the next request may be on its way.
      setTimeout(() => socket.destroy(), visits % 4);
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const address = provider.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1`;
  const gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: scriptedConfiguration({ baseUrl }),
  });
  const statuses: number[] = [];
  const keepCalling = async () => {
    for (let call = 0; call < CALLS / 8; call++) {
      const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
        key: gateway.key,
        body: { model: "fake", messages: [{ role: "user", content: "Hello" }] },
      });
      await reply.text();
      statuses.push(reply.status);
    }
  };
  await Promise.all(Array.from({ length: 8 }, keepCalling));
  expect(statuses).toEqual(Array(CALLS).fill(200));
  expect(visits).toBe(CALLS);
  await gateway.close();
  provider.close();
});
