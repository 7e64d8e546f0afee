import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import { findLastUserText } from "../read-message-text";

const NOTICE = "This is Gatehouse's sandbox: a fixed text, not the answer of an AI.";

/** The text that a sandbox model answers with; deterministic for a conversation. */
export function composeAnswer(model: string, messages: readonly ChatMessage[]): string {
  const question = findLastUserText(messages);
  return model === "sandbox-chat" ? composeMarkdown(question) : question;
}

function composeMarkdown(question: string): string {
  const subject = question.trim().split(/\s+/).slice(0, 12).join(" ") || "nothing";
  return `## A sandbox reply

${NOTICE} You asked about *${subject}*, and a real model would answer that here.

What this reply is good for:

1. seeing how **Markdown** looks while it streams,
2. watching usage and charges move,
3. testing a client without spending on a provider.

\`\`\`ts
const reply = await client.chat.completions.create({
  model: "sandbox-chat",
  messages: [{ role: "user", content: "Hello" }],
});
console.log(reply.choices[0].message.content);
\`\`\`

| Token | Meaning here |
| --- | --- |
| prompt | one for each word you sent |
| completion | one for each word of this reply |

> Choose a model of one of your providers to talk to an AI.`;
}
