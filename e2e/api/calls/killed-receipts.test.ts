import { expect, test } from "bun:test";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { startGateway } from "../../support/programs/start-gateway";
import { writeConfiguration } from "../../support/programs/write-configuration";
import {
  chunkEvent,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";

test("the receipt of a call under way shows its known details, also after the gateway was killed", async () => {
  const provider = startScriptedProvider();
  const answered = new Promise<void>(() => {});
  provider.answerWith(() => streamChunks([chunkEvent({ content: "Hello" }), answered]));
  const gateway = await startGateway({
    GATEHOUSE_CONFIG: writeConfiguration(scriptedConfiguration(provider)),
  });
  const ask = async <Reply>(path: string, body?: object): Promise<Reply> => {
    const address = `${gateway.baseUrl}/organization${path}`;
    return (await (await fetchWithKey(address, { key: gateway.adminKey, body })).json()) as Reply;
  };
  try {
    const { id: project } = await ask<{ id: string }>("/projects", { name: "Research" });
    const { value: key } = await ask<{ value: string }>(`/projects/${project}/api_keys`, { name: "Key" });
    const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
      key,
      body: {
        model: "fake",
        stream: true,
        max_tokens: 50,
        messages: [{ role: "user", content: "Hi" }],
      },
      headers: { "user-agent": "nightly-report/2" },
    });
    const receipt = () => ask<RequestReceipt>(`/requests/${reply.headers.get("x-request-id")}`);
    let underWay = await receipt();
    await until("the provider is called", async () => {
      underWay = await receipt();
      return underWay.attempts.length > 0;
    });
    expect(underWay.request).toMatchObject({ outcome: "in_progress", stream: true, provider: "fake" });
    const { client, settings, checks, attempts } = underWay;
    expect(client).toMatchObject({ endpoint: "chat/completions", user_agent: "nightly-report/2" });
    expect(settings).toMatchObject({ max_tokens: 50 });
    expect(attempts).toMatchObject([{ provider: "fake", model: "upstream-name", status: 200 }]);
    expect(checks.find(({ check }) => check === "max_requests_per_1_minute")).toMatchObject({ value: "0" });

    await gateway.restart("SIGKILL");
    const told = await receipt();
    expect(told.request).toMatchObject({ outcome: "interrupted", stream: true, provider: "fake" });
    expect([told.client, told.settings, told.attempts]).toEqual([client, settings, attempts]);
    expect(told.checks).toEqual(checks);
  } finally {
    await gateway.stop();
    await provider.stop();
  }
});
