import { fetchWithKey } from "@/e2e/support/clients/send";
import { serveGateway } from "@/e2e/support/gateways/serve-gateway";
import { type KeyEndpoint, keyEndpoints, modelEndpoints } from "@/lib/contract/access/key-scopes";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import type { Scenario } from "../../scenario";

const MODEL = "sandbox-echo";
/** What no limited key may read, in names that its searches look for. */
const SECRET = /hidden/i;
const WORDS = ["hid", "Hidden", "proj_", "key", "a"] as const;
const byCallers = operationTable.filter(
  ({ permission }) => typeof permission === "string" || permission.open !== "to everyone",
);

export const limitedKeys: Scenario = {
  name: "limited-keys",
  does: "{size} requests for any operation by keys with random scopes, which change meanwhile: none reads more than its scope",
  full: 6_000,
  smoke: 300,
  async run({ size, random }) {
    const gateway = await serveGateway();
    const project = `/organization/projects/${gateway.projectId}`;
    const faults: string[] = [];
    let [refused, answered] = [0, 0];
    try {
      await hideObjects(gateway.admin, project);
      const draft = { name: "Limited", models: [MODEL], endpoints: ["embeddings"] };
      const { id, value } = await gateway.admin<{ id: string; value: string }>(
        "POST",
        `${project}/api_keys`,
        draft,
      );
      for (let asked = 0; asked < size; ) {
        const endpoints = keyEndpoints.filter(() => random.chance(0.3));
        const scope = endpoints.length > 0 ? endpoints : null;
        await gateway.admin("POST", `${project}/api_keys/${id}`, { endpoints: scope });
        for (let turn = 0; turn < 10; turn++, asked++) {
          const operation = byCallers[random.between(0, byCallers.length - 1)] as Operation;
          const address = gateway.baseUrl + fillPath(operation, gateway.projectId, random.pick(WORDS));
          const { method } = operation;
          const body = method === "POST" ? { no_such_field: true } : undefined;
          const reply = await fetchWithKey(address, { method, key: value, body });
          const text = await reply.text();
          const isRefused = reply.status === 403 && text.includes("outside_key_scope");
          if (isRefused) refused++;
          else answered++;
          if (isRefused === isOpen(operation, scope ?? modelEndpoints))
            faults.push(`${operation.id} answered ${reply.status} to a key for ${scope ?? "a model"}`);
          if (SECRET.test(text))
            faults.push(`${operation.id} showed a key for ${scope ?? "a model"} a hidden name`);
        }
      }
      return { faults, figures: { refused, answered } };
    } finally {
      await gateway.close();
    }
  },
};

const isOpen = ({ limitedKeys: open }: Operation, endpoints: readonly KeyEndpoint[]) =>
  open === "all" || open?.some((endpoint) => endpoints.includes(endpoint)) === true;

function fillPath({ path }: Operation, projectId: string, word: string): string {
  const filled = path
    .replace("{project_id}", projectId)
    .replace("{model_id}", "hidde")
    .replace(/\{\w+\}/g, "none_1");
  return path.endsWith("/search") ? `${filled}?text=${word}` : filled;
}

async function hideObjects(
  admin: (method: "POST", path: string, body: object) => Promise<unknown>,
  project: string,
): Promise<void> {
  const content = { endpoint: "messages", body: { messages: [{ role: "user", content: "Hidden text" }] } };
  await admin("POST", "/organization/projects", { name: "Hidden project" });
  await admin("POST", "/organization/groups", { name: "Hidden group" });
  await admin("POST", `${project}/api_keys`, { name: "Hidden key" });
  await admin("POST", `${project}/prompts`, { name: "Hidden prompt", is_shared: true, content, cases: [] });
}
