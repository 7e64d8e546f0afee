import OpenAI from "openai";
import { adminApi } from "../support/clients/admin-api";
import { chatLine } from "../support/clients/batch-client";
import { fetchWithKey } from "../support/clients/send";
import type { Gatehouse } from "../support/programs/start-gatehouse";

/** Ids of what the pictures show. */
export type SampleData = {
  project: string;
  /** A request that the project's limit refused. */
  refused: string;
  /** Projects with a name of a hundred characters, without anything in it, and that is archived. */
  longNamed: string;
  empty: string;
  archived: string;
  /** A prompt of the project, with two cases. */
  prompt: string;
};

/** Makes a payment, a few calls of this minute, the last of which its limit refuses, a task and a batch. */
export async function makeSampleData(place: Gatehouse): Promise<SampleData> {
  const api = adminApi(place);
  const { data } = await api.call<{ data: { id: string }[] }>("GET", "/projects");
  const project = data[0]?.id ?? "";
  await api.call("POST", "/payments", { amount: "2500.00", reference: "Invoice 2026-11" });
  const { value } = await api.createKey(project, "nightly reports");
  await api.saveRateLimit(project, "sandbox-chat", { max_requests_per_1_minute: 3 });
  let refused = "";
  for (const content of ["Summarize the incident", "What changed?", "Draft the notes", "And once more"]) {
    const reply = await fetchWithKey(`${place.baseUrl}/chat/completions`, {
      key: value,
      body: { model: "sandbox-chat", messages: [{ role: "user", content }] },
    });
    await reply.text();
    if (reply.status === 429) refused = reply.headers.get("x-request-id") ?? "";
  }
  await makeTask(place.baseUrl, value);
  await makeBatch(place.baseUrl, value);
  const { id: longNamed } = await api.createProject("W".repeat(100));
  await api.createKey(longNamed, "K".repeat(100));
  const { id: empty } = await api.createProject("Nothing yet");
  const { id: archived } = await api.createProject("Spring campaign");
  await api.call("POST", `/projects/${archived}/archive`);
  return { project, refused, longNamed, empty, archived, prompt: await makePrompt(place, project) };
}

async function makePrompt(place: Gatehouse, project: string): Promise<string> {
  const body = { messages: [{ role: "user", content: "Greet {{name}} warmly" }] };
  const draft = { name: "Greeting", content: { endpoint: "chat_completions", body } };
  const prompts = `/projects/${project}/prompts`;
  const { id } = await adminApi(place).call<{ id: string }>("POST", prompts, draft);
  return id;
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
    chatLine(`ticket-${index}`, `Summarize ticket ${index}`),
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
