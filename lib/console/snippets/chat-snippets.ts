import { quoteForShell } from "./api-snippets";

// Safe for the browser.

type SnippetValues = {
  /** Ends in `/v1`. */
  baseUrl: string;
  model: string;
  /** Without it, the key is read from the environment. */
  apiKey?: string;
};

/** Complete programs for a first call, in common languages. */
export function chatSnippets({ baseUrl, model, apiKey }: SnippetValues) {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
  const quotedKey = apiKey && JSON.stringify(apiKey);
  return [
    {
      id: "curl",
      label: "curl",
      code: `curl ${quoteForShell(`${baseUrl}/chat/completions`)} \\
  -H "Authorization: Bearer ${apiKey ?? "$GATEHOUSE_API_KEY"}" \\
  -H "Content-Type: application/json" \\
  -d ${quoteForShell(body)}`,
    },
    {
      id: "openai",
      label: "openai",
      code: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: ${quotedKey ?? "process.env.GATEHOUSE_API_KEY"},
});

const completion = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: "user", content: "Hello" }],
});
console.log(completion.choices[0].message.content);`,
    },
    {
      id: "python",
      label: "openai, Python",
      code: `${quotedKey ? "" : "import os\n"}from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=${quotedKey ?? 'os.environ["GATEHOUSE_API_KEY"]'},
)

completion = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)`,
    },
  ];
}
