import type OpenAI from "openai";
import { officialClient } from "../clients/official-client";
import { type ScriptedProvider, startScriptedProvider } from "../servers/scripted-provider";
import { type ServedGateway, serveGateway } from "./serve-gateway";

/** A gateway whose provider `scripted` answers what the test tells it to. The test closes both. */
interface ScriptedModels {
  readonly provider: ScriptedProvider;
  readonly gateway: ServedGateway;
  /** The official SDK with the gateway's key. */
  readonly client: OpenAI;
}

/** @param models their YAML, indented under `models:`, with routes to the provider `scripted`. */
export async function serveScriptedModels(
  models: string,
  options: Parameters<typeof serveGateway>[0] = {},
): Promise<ScriptedModels> {
  const provider = startScriptedProvider();
  const config = `
providers:
  - { id: scripted, kind: openai, base_url: "${provider.baseUrl}", api_key: sk-upstream }
models:
${models}`;
  const gateway = await serveGateway({ config, ...options });
  return { provider, gateway, client: officialClient(gateway.baseUrl, gateway.key) };
}
