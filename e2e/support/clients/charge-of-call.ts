import { expect } from "@playwright/test";
import type { Gatehouse } from "../programs/start-gatehouse";
import { adminApi } from "./admin-api";
import { fetchWithKey } from "./send";

/**
 * Calls a model as a program would, with a project's key.
 * @returns the ledger's entry for the call.
 */
export async function chargeOfCall(gatehouse: Gatehouse, model: string) {
  const api = adminApi(gatehouse);
  const project = await api.createProject(`Calls ${model}`.slice(0, 100));
  const { value: key } = await api.createKey(project.id, "program");
  const reply = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key,
    body: { model, stream: true, messages: [{ role: "user", content: "one two three" }] },
  });
  const text = await reply.text();
  const requestId = reply.headers.get("x-request-id") ?? "";
  await expect.poll(async () => (await api.charges(requestId)).length).toBe(1);
  const [charge] = await api.charges(requestId);
  return { text, charge };
}
