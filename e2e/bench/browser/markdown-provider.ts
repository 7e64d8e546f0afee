import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

/** How often it sends, and how many tokens each time: 1,000 a second, as the fastest models do. */
const PAUSE_MS = 20;
const BATCH_SIZE = 20;
/** A rough average of models. */
const CHARACTERS_PER_TOKEN = 4;

/** An OpenAI-compatible server on a free port that answers each call with `tokens` tokens of Markdown, as a stream. */
export async function startMarkdownProvider(tokens: number) {
  const pieces = splitPieces(writeMarkdown(tokens * CHARACTERS_PER_TOKEN));
  const server = createServer((request, reply) => {
    request.resume();
    void stream(reply, pieces);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

async function stream(reply: ServerResponse, pieces: readonly string[]): Promise<void> {
  const send = (choices: object[], more: object = {}) =>
    reply.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", choices, ...more })}\n\n`);
  reply.writeHead(200, { "content-type": "text/event-stream" });
  for (const [index, content] of pieces.entries()) {
    if (reply.closed) return;
    send([{ index: 0, delta: { content }, finish_reason: null }]);
    if (index % BATCH_SIZE === 0) await setTimeout(PAUSE_MS);
  }
  send([{ index: 0, delta: {}, finish_reason: "stop" }]);
  const completion_tokens = pieces.length;
  send([], { usage: { prompt_tokens: 1, completion_tokens, total_tokens: completion_tokens + 1 } });
  reply.end("data: [DONE]\n\n");
}

function splitPieces(text: string): string[] {
  return text.match(/[\s\S]{1,4}/g) ?? [];
}

/** What models write: headings, paragraphs, lists, tables and code, until it is as long as asked. */
function writeMarkdown(length: number): string {
  let text = "";
  for (let section = 1; text.length < length; section++) text += writeSection(section);
  return text.slice(0, length);
}

function writeSection(number: number): string {
  const sentence = `A rate limit is a *ceiling* on what a project may use in a **window** of time, such as \`max_tokens_per_1_minute\`. `;
  const rows = Array.from(
    { length: 12 },
    (_, row) => `| case ${row} | ${row * number} | ${row % 2 ? "yes" : "no"} |`,
  );
  const lines = Array.from(
    { length: 30 },
    (_, line) => `  const value${line} = compute(${line}, "text ${number}");`,
  );
  const items = Array.from(
    { length: 8 },
    (_, item) =>
      `${item + 1}. Item ${item} with a [link](https://example.com/${number})\n   - and a **detail**`,
  );
  return `## Section ${number}

${sentence.repeat(4)}

${sentence.repeat(3)}

${items.join("\n")}

| Name | Value | Set |
| --- | ---: | --- |
${rows.join("\n")}

\`\`\`ts
function section${number}() {
${lines.join("\n")}
}
\`\`\`

> ${sentence}

`;
}
