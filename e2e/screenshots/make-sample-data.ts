import OpenAI from "openai";
import { adminApi } from "../support/clients/admin-api";
import { chatLine } from "../support/clients/batch-client";
import { fetchWithKey } from "../support/clients/send";
import type { Gatehouse } from "../support/programs/start-gatehouse";

/** Ids of what the pictures show: a project, and a request that its limit refused. */
export type SampleData = { project: string; refused: string };

/** Makes a payment, a few calls of this minute, the last of which its limit refuses, a task and a batch. */
export async function makeSampleData(place: Gatehouse): Promise<SampleData> {
  const api = adminApi(place);
  const { data } = await api.call<{ data: { id: string }[] }>("GET", "/projects");
  const project = data[0]?.id ?? "";
  await api.call("POST", "/payments", { amount: "2500.00", reference: "Invoice 2026-11" });
  const { value } = await api.call<{ value: string }>("POST", `/projects/${project}/api_keys`, {
    name: "nightly reports",
  });
  await api.saveRateLimit(project, "sandbox-chat", { max_requests_per_1_minute: 3 });
  let refused = "";
  for (const content of ["Summarise the incident", "What changed?", "Draft the notes", "And once more"]) {
    const reply = await fetchWithKey(`${place.baseUrl}/chat/completions`, {
      key: value,
      body: { model: "sandbox-chat", messages: [{ role: "user", content }] },
    });
    await reply.text();
    if (reply.status === 429) refused = reply.headers.get("x-request-id") ?? "";
  }
  await makeTask(place.baseUrl, value);
  await makeBatch(place.baseUrl, value);
  return { project, refused };
}

async function makeTask(baseUrl: string, key: string): Promise<void> {
  await fetchWithKey(`${baseUrl}/chat/completions`, {
    key,
    body: { model: "sandbox-image", prompt: "A lighthouse at dusk" },
  });
}

async function makeBatch(baseUrl: string, key: string): Promise<void> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: key });
  const lines = Array.from({ length: 40 }, (_, index) =>
    chatLine(`ticket-${index}`, `Summarise ticket ${index}`),
  );
  const file = await client.files.create({
    file: new File([lines.join("\n")], "tickets.jsonl"),
    purpose: "batch",
  });
  await client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
}
