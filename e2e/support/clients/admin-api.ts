import { strict as assert } from "node:assert";
import type { Permission } from "@/lib/contract/access/permissions";
import type { CreatedProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import type { ModelDraft } from "@/lib/contract/operations/models/models";
import type { RateLimitChange } from "@/lib/contract/operations/models/rate-limits";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { fetchWithKey } from "./send";

type Address = { baseUrl: string; adminKey: string };

/** A client of the gateway's API, for setting up scenes and for expected values. */
export function adminApi({ baseUrl, adminKey }: Address) {
  const origin = new URL(baseUrl).origin;

  async function ask<Reply>(method: string, path: string, body?: object): Promise<Reply> {
    const response = await fetchWithKey(`${origin}${path}`, { method, key: adminKey, body });
    const reply = await response.json();
    assert(response.ok, `${method} ${path}: ${JSON.stringify(reply)}`);
    return reply as Reply;
  }

  const call = <Reply>(method: string, path: string, body?: object) =>
    ask<Reply>(method, `/organization${path}`, body);

  return {
    call,
    createProjectRole: (projectId: string, role_name: string, permissions: readonly Permission[]) =>
      ask<{ id: string }>("POST", `/projects/${projectId}/roles`, { role_name, permissions }),
    createProject: (name: string) => createProject(call, name),
    createKey: (projectId: string, name: string) =>
      call<CreatedProjectApiKey>("POST", `/projects/${projectId}/api_keys`, { name }),
    createModel: (model: ModelDraft) => call("POST", "/models", model),
    createProvider: (id: string, base_url: string) =>
      call("POST", "/providers", { id, kind: "openai", base_url }),
    saveRateLimit: (projectId: string, model: string, change: RateLimitChange) =>
      call("POST", `/projects/${projectId}/rate_limits/rl_${model}`, change),
    charges: async (requestId: string) =>
      (await call<{ data: LedgerEntry[] }>("GET", `/ledger?kind=charge&request_id=${requestId}`)).data,
  };
}

type Project = { id: string; name: string };
type Call = <Reply>(method: string, path: string, body?: object) => Promise<Reply>;

/** Creates a project. One of that name, which another test of the same gateway created, makes room for it. */
async function createProject(call: Call, name: string): Promise<Project> {
  const search = new URLSearchParams({ search: name.slice(0, 200) });
  const { data } = await call<{ data: Project[] }>("GET", `/projects?${search}`);
  for (const one of data.filter((project) => project.name.toLowerCase() === name.toLowerCase())) {
    await call("POST", `/projects/${one.id}`, { name: `${name.slice(0, 70)} ${one.id}` });
  }
  return call("POST", "/projects", { name });
}
