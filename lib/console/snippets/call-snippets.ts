import type { ChatEndpoint } from "../streaming/stream-chat";
import { aiSdkSnippet } from "./ai-sdk-snippet";
import { callLiteral, quoteForShell } from "./api-snippets";

// Safe for the browser.

type Call = {
  /** Ends in `/v1`. */
  baseUrl: string;
  endpoint: ChatEndpoint;
  /** The same call as a body of each endpoint. */
  chat: object;
  message: object;
};

/** Complete programs that make exactly this call. The key is read from the environment. */
export function callSnippets({ baseUrl, endpoint, chat, message }: Call) {
  const isMessage = endpoint === "messages";
  const [path, body] = isMessage ? (["messages", message] as const) : (["chat/completions", chat] as const);
  return [
    { id: "curl", label: "curl", code: curl(`${baseUrl}/${path}`, body, isMessage) },
    {
      id: "openai",
      label: "openai",
      code: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

const completion = await ${callLiteral("client.chat.completions.create", chat)}
console.log(completion.choices[0].message.content);`,
    },
    {
      id: "python",
      label: "openai, Python",
      code: `import os
from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["GATEHOUSE_API_KEY"],
)

completion = client.post("/chat/completions", cast_to=object, body=${toPython(chat)})
print(completion["choices"][0]["message"]["content"])`,
    },
    {
      id: "anthropic",
      label: "@anthropic-ai/sdk",
      code: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: ${JSON.stringify(baseUrl.replace(/\/v1$/, ""))},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

const message = await ${callLiteral("client.messages.create", message)}
console.log(message.content);`,
    },
    { id: "ai-sdk", label: "AI SDK", code: aiSdkSnippet(baseUrl, chat) },
  ];
}

function curl(url: string, body: object, isMessage: boolean): string {
  return [
    `curl ${quoteForShell(url)} \\`,
    `  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\`,
    ...(isMessage ? [`  -H "anthropic-version: 2023-06-01" \\`] : []),
    `  -H "Content-Type: application/json" \\`,
    `  -d ${quoteForShell(JSON.stringify(body, null, 2))}`,
  ].join("\n");
}

/** A JSON value as a Python literal, formatted like JSON. */
export function toPython(value: unknown, indent = ""): string {
  const inner = `${indent}    `;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((one) => toPython(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${toPython(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
