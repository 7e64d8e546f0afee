import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { callSnippets, toPython } from "@/lib/console/snippets/call-snippets";
import { type ServedGateway, serveGateway } from "../support/serve-gateway";

let gateway: ServedGateway;
let key: string;

beforeAll(async () => {
  gateway = await serveGateway();
  key = gateway.key;
});
afterAll(() => gateway.close());

const words = `It's "quoted" \\ $HOME \`id\``;
const chat = {
  model: "sandbox-echo",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: words },
  ],
  max_tokens: 50,
};
const message = {
  model: "sandbox-echo",
  max_tokens: 50,
  system: "Be brief.",
  messages: [{ role: "user", content: words }],
};

function snippetOf(id: string, endpoint: "chat_completions" | "messages" = "chat_completions"): string {
  const snippets = callSnippets({ baseUrl: gateway.baseUrl, endpoint, chat, message });
  return snippets.find((snippet) => snippet.id === id)?.code ?? "";
}

async function run(...command: string[]): Promise<string> {
  const env = { ...process.env, GATEHOUSE_API_KEY: key };
  const program = Bun.spawn(command, { env, stdout: "pipe", stderr: "pipe" });
  const [out, faults] = await Promise.all([
    new Response(program.stdout).text(),
    new Response(program.stderr).text(),
  ]);
  if ((await program.exited) !== 0) throw new Error(faults);
  return out;
}

/** In the repository, so that it finds the SDKs. */
async function runModule(code: string): Promise<string> {
  const file = join(import.meta.dir, `snippet-${crypto.randomUUID()}.ts`);
  await writeFile(file, code);
  try {
    return await run(process.execPath, file);
  } finally {
    await rm(file);
  }
}

test.each(["chat_completions", "messages"] as const)(
  "curl's %s call answers as it stands",
  async (endpoint) => {
    const reply = JSON.parse(await run("sh", "-c", `${snippetOf("curl", endpoint)} -s`));
    const text = endpoint === "messages" ? reply.content[0].text : reply.choices[0].message.content;
    expect(text).toBe(words);
  },
);

test("the openai snippet runs unchanged", async () => {
  expect(await runModule(snippetOf("openai"))).toBe(`${words}\n`);
});

test("the @anthropic-ai/sdk snippet runs unchanged", async () => {
  expect(await runModule(snippetOf("anthropic"))).toContain('type: "text"');
});

test("no snippet holds a key", () => {
  const snippets = callSnippets({ baseUrl: gateway.baseUrl, endpoint: "messages", chat, message });
  for (const { code } of snippets) {
    expect(code).toContain("GATEHOUSE_API_KEY");
    expect(code).not.toContain("gk_");
  }
});

test("Python reads JSON's words in its own", () => {
  expect(toPython({ a: [true, null, "x", 1], b: {} })).toBe(
    '{\n    "a": [\n        True,\n        None,\n        "x",\n        1,\n    ],\n    "b": {},\n}',
  );
});

test("the AI SDK gets its own names, and everything else as its provider's options", () => {
  const { code = "" } =
    callSnippets({
      baseUrl: gateway.baseUrl,
      endpoint: "chat_completions",
      chat: { ...chat, top_p: 0.5, reasoning_effort: "low" },
      message,
    }).find(({ id }) => id === "ai-sdk") ?? {};
  expect(code).toContain('system: "Be brief."');
  expect(code).toContain("maxOutputTokens: 50");
  expect(code).toContain("topP: 0.5");
  expect(code).toMatch(/providerOptions: \{\s+gatehouse: \{\s+reasoning_effort: "low"/);
  expect(() => new Bun.Transpiler({ loader: "ts" }).transformSync(code)).not.toThrow();
});
