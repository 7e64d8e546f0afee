import { expect, test } from "bun:test";
import { operationTable } from "./operation-table";
import { explainUnservedPath, unservedApis } from "./unserved-paths";

const served = operationTable.map(({ path }) => path);

test.each([
  ["/v1/v1/responses/resp_1/cancel", "OpenAI's Responses API beyond kept responses"],
  ["/v1/completions", "OpenAI's legacy Completions API"],
  ["/v1/threads/thread_1/runs", "OpenAI's Assistants API"],
  ["/v1/realtime/client_secrets", "OpenAI's Realtime API"],
  ["/v1/fine_tuning/jobs", "OpenAI's Fine-tuning API"],
  ["/v1/vector_stores/vs_1/files", "OpenAI's Vector stores API"],
  ["/v1/uploads/upload_1/parts", "OpenAI's Uploads API"],
  ["/v1/evals", "OpenAI's Evals API"],
  ["/v1/videos/video_1/remix", "OpenAI's video API beyond whole videos"],
  ["/v1/complete", "Anthropic's legacy Text Completions API"],
  ["/v1/messages/batches/msgbatch_1/results", "Anthropic's Message Batches API"],
  ["/v1beta/models/gemini-2.5-pro:generateContent", "Google's Gemini API"],
  ["/v1beta/openai/chat/completions", "Google's paths for OpenAI clients"],
  ["/v1/models/gemini-2.5-pro:streamGenerateContent", "Google's Gemini API"],
  ["/v1/projects/p/locations/l/publishers/google/models/m:rawPredict", "Google's Gemini API"],
  ["/api/chat", "Ollama's API"],
  ["/api/tags", "Ollama's API"],
  ["/v2/rerank", "the Rerank API of Cohere and Jina"],
  ["/model/anthropic.claude/converse", "the Bedrock API"],
])("%s is told to be %s", (path, name) => {
  expect(explainUnservedPath(path)?.description).toStartWith(
    `belongs to ${name}, which is not served here: `,
  );
});

test.each(["/v1/conversation_items", "/v1/nothing", "/api/v1/chat/completions", "/", "/v1/models/llama:8b"])(
  "%s belongs to none",
  (path) => {
    expect(explainUnservedPath(path)).toBeNull();
  },
);

test("what is named instead is served", () => {
  const named = unservedApis.flatMap(({ instead }) => instead.match(/(?<=\/v1)\/[\w/]+/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  const isPrefix = (path: string) => served.some((one) => one === path || one.startsWith(`${path}/`));
  expect(named.filter((path) => !isPrefix(path))).toEqual([]);
});
