import OpenAI from "openai";
import { adminApi } from "../support/clients/admin-api";
import { chatLine, createBatchClient } from "../support/clients/batch-client";
import { callModel, fetchWithKey } from "../support/clients/send";
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
  /** A batch of which some lines failed. */
  failedBatch: string;
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
  const failedBatch = await makeFailedBatch(place.baseUrl, value);
  const { id: longNamed } = await api.createProject("W".repeat(100));
  const longKey = await api.createKey(longNamed, "K".repeat(100));
  await callModel(place, longKey.value, "sandbox-echo");
  const { id: empty } = await api.createProject("Nothing yet");
  const { id: archived } = await api.createProject("Spring campaign");
  await api.call("POST", `/projects/${archived}/archive`);
  const prompt = await makePrompt(place, project);
  return { project, refused, longNamed, empty, archived, failedBatch, prompt };
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

/** The sandbox refuses the lines that are too long for it. Also uploads a file whose name is long. */
async function makeFailedBatch(baseUrl: string, key: string): Promise<string> {
  const client = createBatchClient({ baseUrl, key });
  const tooLong = "Letter after letter. ".repeat(10_000);
  const lines = Array.from({ length: 30 }, (_, index) =>
    chatLine(`letter-${index}`, index % 4 === 3 ? tooLong : `Summarise letter ${index}`),
  );
  const file = new File(["{}"], `${"every-letter-of-the-archive-".repeat(6)}.jsonl`);
  await client.openai.files.create({ file, purpose: "user_data" });
  const { id } = await client.create(lines);
  await client.follow(id);
  return id;
}
