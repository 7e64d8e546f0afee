import { createOrganizationClient } from "../clients/organization-client";
import { serveForEach } from "./serve-for-tests";
import type { ServedGateway } from "./serve-gateway";

const config = `
providers:
  - { id: configured, kind: openai, base_url: "http://127.0.0.1:9/v1/", api_key: sk-canary-config }
models:
  - id: configured-model
    family: chat
    rate: "0.2"
    price: { input_per_1m: "0.25", output_per_1m: "2.00" }
    rate_limits: { max_requests_per_1_day: 5 }
    routes: [{ provider: configured, model: real-name }]
  - id: unpriced
    family: chat
    rate: "1"
    routes: [{ provider: configured, model: real-name }]
defaults:
  rate_limits: { max_requests_per_1_minute: 42 }
`;

/** A provider and its model that a test adds to those of the configuration file. */
export const addedProvider = {
  id: "ollama",
  kind: "openai",
  base_url: "http://127.0.0.1:11434/v1/",
  api_key: "sk-canary-database",
};
export const addedModel = {
  id: "meta/Llama-3",
  family: "chat",
  rate: "0.5",
  price: { input_per_1m: "1", output_per_1m: "2" },
  routes: [{ provider: "ollama", model: "llama3" }],
};

export interface Configured {
  readonly gateway: ServedGateway;
  /** Asks as an administrator. */
  ask(...request: Parameters<Client>): ReturnType<Client>;
}
type Client = ReturnType<typeof createOrganizationClient>;

/** Serves each test a gateway whose configuration file has a provider, a model with a price, and one without. */
export function serveConfiguredForEach(take: (served: Configured) => void): void {
  serveForEach(
    (gateway) => {
      const client = createOrganizationClient(gateway.baseUrl);
      take({
        gateway,
        ask: (method, path, body, key = gateway.adminKey) => client(method, path, body, key),
      });
    },
    { config },
  );
}
