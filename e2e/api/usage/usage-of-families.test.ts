import { expect, test } from "bun:test";
import OpenAI, { toFile } from "openai";
import { encodeWav, playTune } from "@/lib/gateway/providers/sandbox-media/create-picture-random";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { officialClient } from "../../support/clients/official-client";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

/** When the gateway's clock begins. */
const start_time = 1_800_000_000;

const config = `
models:
  - { id: by-second, family: transcription, rate: "1", unit_price: { unit: second, amount: "0.0001" }, routes: [{ provider: sandbox, model: sandbox-transcribe }] }
`;

let gateway: ServedGateway;
let openai: OpenAI;
let tasks: TaskClient;
let usage: OpenAI["admin"]["organization"]["usage"];

serveForAll(
  (served) => {
    gateway = served;
    openai = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
    tasks = createTaskClient(gateway);
    usage = officialClient(gateway.baseUrl, gateway.adminKey).admin.organization.usage;
  },
  { config },
);

/** The results of the only bucket that has some. */
const only = ({ data }: { data: readonly { results: readonly unknown[] }[] }) =>
  data.flatMap(({ results }) => results);
const recording = () => toFile(encodeWav(playTune(1, 3)), "tune.wav", { type: "audio/wav" });

test("images count when they are made, whatever they are priced by; failed ones count as requests only", async () => {
  const paint = (fields: object) =>
    tasks.whileTimePasses(
      openai.images.generate({ model: "sandbox-image", prompt: "x", size: "16x32", ...fields } as never),
    );
  await paint({ n: 3, sandbox: { takes_ms: 0 } });
  const two = { model: "sandbox-image", prompt: "x", n: 2, size: "16x16", sandbox: { takes_ms: 0 } };
  await tasks.follow((await tasks.create(two)).id);
  await paint({ n: 4, sandbox: { takes_ms: 0, outcome: "failed" } }).catch(() => null);
  const results = only(await usage.images({ start_time, group_by: ["model"] }));
  expect(results).toMatchObject([{ images: 5, num_model_requests: 3, model: "sandbox-image" }]);
});

test("speech counts the characters that were charged", async () => {
  for (const input of ["Hello", "Grüße 🚀"]) {
    const spoken = await openai.audio.speech.create({ model: "sandbox-speech", voice: "alloy", input });
    await spoken.arrayBuffer();
  }
  expect(only(await usage.audioSpeeches({ start_time }))).toMatchObject([
    { characters: 12, num_model_requests: 2 },
  ]);
});

test("transcriptions count seconds, also of models that are priced by the minute", async () => {
  for (const model of ["sandbox-transcribe", "by-second"])
    await openai.audio.transcriptions.create({ model, file: await recording() });
  const results = only(await usage.audioTranscriptions({ start_time, group_by: ["model"] }));
  expect(results).toMatchObject([
    { seconds: 3, num_model_requests: 1, model: "by-second" },
    { seconds: 3, num_model_requests: 1, model: "sandbox-transcribe" },
  ]);
  const filtered = only(await usage.audioTranscriptions({ start_time, models: ["by-second"] }));
  expect(filtered).toMatchObject([{ seconds: 3, num_model_requests: 1, model: null }]);
});

test("embeddings and moderations count their tokens", async () => {
  const embedded = await openai.embeddings.create({ model: "sandbox-embedding", input: ["a b", "c"] });
  await openai.moderations.create({ model: "sandbox-moderation", input: "one two three" });
  expect(only(await usage.embeddings({ start_time }))).toMatchObject([
    { input_tokens: embedded.usage.prompt_tokens, num_model_requests: 1 },
  ]);
  expect(only(await usage.moderations({ start_time }))).toMatchObject([
    { input_tokens: 3, num_model_requests: 1 },
  ]);
});

test("completions tell the lines of batches from live calls", async () => {
  const batches = createBatchClient(gateway);
  const made = await batches.create([chatLine("a", "one two"), chatLine("b", "three")]);
  await batches.follow(made.id);
  const messages = [{ role: "user" as const, content: "live" }];
  await openai.chat.completions.create({ model: "sandbox-echo", messages });
  const grouped = only(await usage.completions({ start_time, group_by: ["batch"] }));
  expect(grouped).toMatchObject([
    { batch: false, num_model_requests: 1 },
    { batch: true, num_model_requests: 2, input_tokens: 3 },
  ]);
  const [lines] = only(await usage.completions({ start_time, batch: true }));
  expect(lines).toMatchObject({ batch: null, num_model_requests: 2 });
});
