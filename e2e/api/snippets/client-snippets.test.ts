import { afterAll, beforeAll, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";
import { TOML, YAML } from "bun";
import OpenAI from "openai";
import { clientSnippets } from "@/lib/console/snippets/client-snippets";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { runSnippet } from "../../support/programs/run-snippet";

const MODEL = "sandbox-echo";
let gateway: ServedGateway;
beforeAll(async () => {
  gateway = await serveGateway();
});
afterAll(() => gateway.close());

const snippets = (more: object = {}) =>
  new Map(
    clientSnippets({ baseUrl: gateway.baseUrl, model: MODEL, ...more }).map((snippet) => [
      snippet.id,
      snippet.code,
    ]),
  );

for (const id of ["openai", "anthropic", "ai-sdk", "curl"])
  test(`the ${id} program gets an answer with the key of the environment, and with one written into it`, async () => {
    const outputs = [snippets().get(id), snippets({ apiKey: gateway.key }).get(id)].map((code) =>
      runSnippet(id, code ?? "", gateway.key),
    );
    for (const output of await Promise.all(outputs)) expect(output).toContain("Hello");
  });

test("opencode's configuration leads its package of the AI SDK to the model", async () => {
  const { model, provider } = JSON.parse(snippets({ apiKey: gateway.key }).get("opencode") ?? "");
  const { npm, name, options, models } = provider.gatehouse;
  expect(npm).toBe("@ai-sdk/openai-compatible");
  const [id = ""] = Object.keys(models);
  expect(model).toBe(`gatehouse/${id}`);
  const { text } = await generateText({
    model: createOpenAICompatible({ name, ...options })(id),
    prompt: "Hello",
  });
  expect(text).toContain("Hello");
  expect(snippets().get("opencode")).toContain("{env:GATEHOUSE_API_KEY}");
});

/** What a client of OpenAI's protocol asks, with the settings that it was given. */
async function ask(baseURL: unknown, apiKey: unknown, model: unknown): Promise<string | null | undefined> {
  const client = new OpenAI({ baseURL: String(baseURL), apiKey: String(apiKey) });
  const messages = [{ role: "user" as const, content: "Hello" }];
  const { choices } = await client.chat.completions.create({ model: String(model), messages });
  return choices[0]?.message.content;
}

test("the files of Codex, Continue and Qwen Code are read as theirs, and name address, key and model", async () => {
  const written = snippets({ apiKey: gateway.key });
  const codex = TOML.parse(written.get("codex") ?? "") as {
    model: string;
    model_provider: string;
    model_providers: Record<string, { base_url: string; env_key: string; wire_api: string }>;
  };
  const server = codex.model_providers[codex.model_provider];
  expect(server).toMatchObject({ env_key: "GATEHOUSE_API_KEY", wire_api: "responses" });
  const client = new OpenAI({ baseURL: String(server?.base_url), apiKey: gateway.key });
  const { output_text } = await client.responses.create({ model: codex.model, input: "Hello" });
  expect(output_text).toContain("Hello");
  const { models } = YAML.parse(written.get("continue") ?? "") as {
    models: { provider: string; apiBase: string; apiKey: string; model: string }[];
  };
  const [first] = models;
  expect(first?.provider).toBe("openai");
  expect(await ask(first?.apiBase, first?.apiKey, first?.model)).toContain("Hello");
  const script = (written.get("qwen-code") ?? "").replace(
    /^qwen$/m,
    'echo "$OPENAI_BASE_URL|$OPENAI_API_KEY|$OPENAI_MODEL"',
  );
  const { stdout } = Bun.spawnSync(["sh", "-c", script]);
  expect(await ask(...(stdout.toString().trim().split("|") as [string, string, string]))).toContain("Hello");
});

test("a model's id with quotes breaks out of no configuration", () => {
  const model = `a"'\\$(id)\`x\``;
  const written = new Map(
    clientSnippets({ baseUrl: gateway.baseUrl, model }).map(({ id, code }) => [id, code]),
  );
  expect((TOML.parse(written.get("codex") ?? "") as { model: string }).model).toBe(model);
  expect(
    (YAML.parse(written.get("continue") ?? "") as { models: { model: string }[] }).models[0]?.model,
  ).toBe(model);
  expect(Object.keys(JSON.parse(written.get("opencode") ?? "").provider.gatehouse.models)).toEqual([model]);
  const script = (written.get("qwen-code") ?? "").replace(/^qwen$/m, 'printf %s "$OPENAI_MODEL"');
  expect(Bun.spawnSync(["sh", "-c", script]).stdout.toString()).toBe(model);
});
