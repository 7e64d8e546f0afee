import { quoteForShell } from "./api-snippets";

// Safe for the browser.

type Connection = {
  /** Ends in `/v1`. */
  baseUrl: string;
  model: string;
  /** Without it, the key is read from the environment. */
  apiKey?: string | undefined;
  contextWindow?: number | null;
  maxOutputTokens?: number | null;
};

/** How a client is connected: a file that it reads, a command, or a program. */
type ClientSnippet = {
  id: string;
  label: string;
  /** Where the code goes. */
  place: string;
  code: string;
};

/** Opencode wants both or neither. */
const USUAL_WINDOW = 128_000;
const USUAL_OUTPUT = 32_000;

/** The whole configuration of each client, for one key and one model. */
export function clientSnippets(connection: Connection): readonly ClientSnippet[] {
  return [...agents(connection), ...libraries(connection)];
}

function agents(connection: Connection): ClientSnippet[] {
  const { baseUrl, model, apiKey } = connection;
  const setKey = `export GATEHOUSE_API_KEY=${apiKey ? quoteForShell(apiKey) : "…"}`;
  return [
    {
      id: "opencode",
      label: "opencode",
      place: "opencode.json in the project, or ~/.config/opencode/opencode.json",
      code: opencode(connection),
    },
    {
      id: "codex",
      label: "Codex",
      place: "~/.codex/config.toml",
      code: `# ${setKey}
model = ${JSON.stringify(model)}
model_provider = "gatehouse"

[model_providers.gatehouse]
name = "Gatehouse"
base_url = ${JSON.stringify(baseUrl)}
env_key = "GATEHOUSE_API_KEY"
wire_api = "responses"`,
    },
    {
      id: "qwen-code",
      label: "Qwen Code",
      place: "The terminal, or .qwen/.env without “export”",
      code: `export OPENAI_API_KEY=${apiKey ? quoteForShell(apiKey) : '"$GATEHOUSE_API_KEY"'}
export OPENAI_BASE_URL=${quoteForShell(baseUrl)}
export OPENAI_MODEL=${quoteForShell(model)}
qwen`,
    },
    {
      id: "continue",
      label: "Continue",
      place: "~/.continue/config.yaml",
      code: `name: Gatehouse
version: 1.0.0
schema: v1
models:
  - name: ${JSON.stringify(model)}
    provider: openai
    model: ${JSON.stringify(model)}
    apiBase: ${JSON.stringify(baseUrl)}
    apiKey: ${apiKey ? JSON.stringify(apiKey) : "${{ secrets.GATEHOUSE_API_KEY }}"}
    roles: [chat, edit, apply]`,
    },
  ];
}

function opencode({ baseUrl, model, apiKey, contextWindow, maxOutputTokens }: Connection): string {
  const limit = { context: contextWindow ?? USUAL_WINDOW, output: maxOutputTokens ?? USUAL_OUTPUT };
  const configuration = {
    $schema: "https://opencode.ai/config.json",
    model: `gatehouse/${model}`,
    provider: {
      gatehouse: {
        npm: "@ai-sdk/openai-compatible",
        name: "Gatehouse",
        options: { baseURL: baseUrl, apiKey: apiKey ?? "{env:GATEHOUSE_API_KEY}" },
        models: { [model]: { name: model, limit } },
      },
    },
  };
  return JSON.stringify(configuration, null, 2);
}

function libraries({ baseUrl, model, apiKey }: Connection): ClientSnippet[] {
  const key = apiKey ? JSON.stringify(apiKey) : "process.env.GATEHOUSE_API_KEY";
  const [url, name] = [JSON.stringify(baseUrl), JSON.stringify(model)];
  const program = (id: string, label: string, packages: string, code: string): ClientSnippet => {
    return { id, label, place: `npm install ${packages}`, code };
  };
  return [
    program("openai", "openai", "openai", openai(url, name, key)),
    program("anthropic", "@anthropic-ai/sdk", "@anthropic-ai/sdk", anthropic(baseUrl, name, key)),
    program("ai-sdk", "AI SDK", "ai @ai-sdk/openai-compatible", aiSdk(url, name, key)),
    program("langchain", "LangChain", "@langchain/openai", langchain(url, name, key)),
    program("openai-agents", "OpenAI Agents", "@openai/agents openai", openaiAgents(url, name, key)),
    program("mastra", "Mastra", "@mastra/core", mastra(url, model, key)),
    {
      id: "curl",
      label: "curl",
      place: "The terminal",
      code: `curl ${quoteForShell(`${baseUrl}/chat/completions`)} \\
  -H "Authorization: Bearer ${apiKey ?? "$GATEHOUSE_API_KEY"}" \\
  -H "Content-Type: application/json" \\
  -d ${quoteForShell(JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }))}`,
    },
  ];
}

const openai = (url: string, model: string, key: string) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${url}, apiKey: ${key} });

const completion = await client.chat.completions.create({
  model: ${model},
  messages: [{ role: "user", content: "Hello" }],
});
console.log(completion.choices[0].message.content);`;

const anthropic = (baseUrl: string, model: string, key: string) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: ${JSON.stringify(baseUrl.replace(/\/v1$/, ""))}, apiKey: ${key} });

const message = await client.messages.create({
  model: ${model},
  max_tokens: 1024,
  messages: [{ role: "user", content: "Hello" }],
});
for (const block of message.content) if (block.type === "text") console.log(block.text);`;

const aiSdk = (
  url: string,
  model: string,
  key: string,
) => `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const gatehouse = createOpenAICompatible({ name: "gatehouse", baseURL: ${url}, apiKey: ${key} });

const { text } = await generateText({ model: gatehouse(${model}), prompt: "Hello" });
console.log(text);`;

const langchain = (
  url: string,
  model: string,
  key: string,
) => `import { ChatOpenAI } from "@langchain/openai";

const chat = new ChatOpenAI({ model: ${model}, apiKey: ${key}, configuration: { baseURL: ${url} } });

const answer = await chat.invoke("Hello");
console.log(answer.content);`;

const openaiAgents = (
  url: string,
  model: string,
  key: string,
) => `import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";

setDefaultOpenAIClient(new OpenAI({ baseURL: ${url}, apiKey: ${key} }));
setOpenAIAPI("chat_completions");
// Traces would be sent to OpenAI.
setTracingDisabled(true);

const agent = new Agent({ name: "Assistant", instructions: "Answer briefly.", model: ${model} });
const result = await run(agent, "Hello");
console.log(result.finalOutput);`;

const mastra = (url: string, model: string, key: string) => `import { Agent } from "@mastra/core/agent";

const agent = new Agent({
  id: "assistant",
  name: "Assistant",
  instructions: "Answer briefly.",
  model: { id: ${JSON.stringify(`gatehouse/${model}`)}, url: ${url}, apiKey: ${key} },
});
const { text } = await agent.generate("Hello");
console.log(text);`;
