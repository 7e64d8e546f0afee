import Anthropic from "@anthropic-ai/sdk";
import type { ServedGateway } from "../gateways/serve-gateway";

/** Anthropic's client with the gateway's project key. It doesn't retry. */
export function createAnthropicClient({ baseUrl, key }: Pick<ServedGateway, "baseUrl" | "key">): Anthropic {
  return new Anthropic({ baseURL: baseUrl.replace(/\/v1$/, ""), apiKey: key, maxRetries: 0 });
}

/** A message of one text to the model that repeats it. */
export function echoMessage(content: string) {
  return { model: "sandbox-echo", max_tokens: 100, messages: [{ role: "user" as const, content }] };
}
