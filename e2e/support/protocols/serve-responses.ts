import type OpenAI from "openai";
import { officialClient } from "../clients/official-client";
import { isProviderFault } from "../gateways/is-provider-fault";
import { serveGateway } from "../gateways/serve-gateway";
import { startAnthropicServer } from "../servers/anthropic-server";
import { startOpenaiServer } from "../servers/openai-server";
import { startResponsesServer } from "../servers/responses-server";

export type ServedResponses = Awaited<ReturnType<typeof serveResponses>>;

/** An item with what a model said. */
export const told = (id: string, text: string) => ({
  id,
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

/** A gateway whose models "chat", "native" and "anthropic" are of servers that speak these, and say Hello. */
export async function serveResponses() {
  const [chat, native, anthropic] = [startOpenaiServer(), startResponsesServer(), startAnthropicServer()];
  const servers = [chat, native, anthropic];
  const config = writeConfiguration(chat.baseUrl, native.baseUrl, anthropic.baseUrl);
  const gateway = await serveGateway({
    config,
    isExpectedFault: isProviderFault,
    callbackHosts: ["127.0.0.1"],
  });
  const projectId =
    (await gateway.admin<{ data: { id: string }[] }>("GET", "/organization/projects")).data[0]?.id ?? "";
  const keep = (mode: string, redactions: readonly string[] = []) =>
    gateway.admin("POST", `/organization/projects/${projectId}/body_settings`, {
      mode,
      retention_days: 30,
      redactions,
    });
  return {
    gateway,
    chat,
    native,
    anthropic,
    client: officialClient(gateway.baseUrl, gateway.key),
    keep,
    /** Lets the servers say Hello again, and the project keep its bodies. */
    async reset() {
      for (const { visits } of servers) visits.length = 0;
      chat.answerWith(() => ({ message: { content: "Hello" } }));
      native.answerWith(() => ({ output: [told("msg_theirs", "Hello")] }));
      anthropic.answerWith(() => ({ content: [{ type: "text", text: "Hello" }] }));
      await keep("whole");
    },
    /** The last request that each server got. */
    readSent: () => JSON.stringify(servers.flatMap(({ visits }) => visits.slice(-1).map(({ text }) => text))),
    /** A client of another project. */
    async createStranger(): Promise<OpenAI> {
      const { id } = await gateway.admin<{ id: string }>("POST", "/organization/projects", {
        name: `Other ${crypto.randomUUID()}`,
      });
      const account = await gateway.admin<{ api_key: { value: string } }>(
        "POST",
        `/organization/projects/${id}/service_accounts`,
        { name: "Key" },
      );
      return officialClient(gateway.baseUrl, account.api_key.value);
    },
    async close() {
      await gateway.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

function writeConfiguration(chat: string, native: string, anthropic: string): string {
  const openai = { kind: "openai", preset: "openai", api_key: "sk-upstream", circuit: false };
  const model = {
    family: "chat",
    rate: "1",
    max_output_tokens: 16_000,
    price: { input_per_1m: "5", output_per_1m: "25" },
  };
  return JSON.stringify({
    providers: [
      { ...openai, id: "chat", base_url: chat, protocols: ["chat"] },
      { ...openai, id: "native", base_url: native },
      { ...openai, id: "anthropic", preset: "anthropic", base_url: anthropic, api_key: "sk-ant-upstream" },
    ],
    models: ["chat", "native", "anthropic"].map((id) => ({
      ...model,
      id,
      routes: [{ provider: id, model: id === "anthropic" ? "claude-sonnet-4-5" : "gpt" }],
    })),
  });
}
