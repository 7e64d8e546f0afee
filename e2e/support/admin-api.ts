import { strict as assert } from "node:assert";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import type { ModelDraft } from "@/lib/contract/operations/models";
import type { RateLimitChange } from "@/lib/contract/operations/rate-limits";

type Address = { baseUrl: string; adminKey: string };

/** Asks the gateway itself, past the console: sets scenes, and knows what must be shown. */
export function adminApi({ baseUrl, adminKey }: Address) {
  const origin = new URL(baseUrl).origin;

  async function call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    const response = await fetch(`${origin}/organization${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const reply = await response.json();
    assert(response.ok, `${method} ${path}: ${JSON.stringify(reply)}`);
    return reply as Reply;
  }

  return {
    call,
    createProject: (name: string) => call<{ id: string; name: string }>("POST", "/projects", { name }),
    createModel: (model: ModelDraft) => call("POST", "/models", model),
    createProvider: (id: string, base_url: string) =>
      call("POST", "/providers", { id, kind: "openai", base_url }),
    saveRateLimit: (projectId: string, model: string, change: RateLimitChange) =>
      call("POST", `/projects/${projectId}/rate_limits/rl_${model}`, change),
    charges: async (requestId: string) =>
      (await call<{ data: LedgerEntry[] }>("GET", `/ledger?kind=charge&request_id=${requestId}`)).data,
  };
}
