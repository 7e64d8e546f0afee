import { callLiteral } from "./api-snippets";
import { commentOn, type SnippetCall } from "./snippet-call";

// Safe for the browser.

/** Above this, the library refuses a call that isn't streamed: it could take more than ten minutes. */
const MAX_WHOLE_TOKENS = 21_333;

/** A message with Anthropic's library for TypeScript. */
export function anthropicSnippet(call: SnippetCall): string {
  const { baseUrl, body, streams } = call;
  const isLong = typeof body.max_tokens === "number" && body.max_tokens > MAX_WHOLE_TOKENS;
  const { stream: _, ...parameters } = body;
  const stream = callLiteral("client.messages.stream", parameters);
  return `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: ${JSON.stringify(baseUrl.replace(/\/v1$/, ""))},
  apiKey: process.env.GATEHOUSE_API_KEY,
});

${commentOn(call, "The Messages API")}${streams ? printPieces(stream, parameters) : printWhole(isLong ? stream : null, parameters)}`;
}

function printPieces(stream: string, parameters: SnippetCall["body"]): string {
  return `const stream = ${stream}
stream.on("text", (text) => process.stdout.write(text));
const message = await stream.finalMessage();
${parameters.tools ? printContent(parameters) : "console.log(message.stop_reason);"}`;
}

function printWhole(stream: string | null, parameters: SnippetCall["body"]): string {
  if (stream === null)
    return `const message = await ${callLiteral("client.messages.create", parameters)}
${printContent(parameters)}`;
  return `// The library takes answers of this length only as a stream.
const stream = ${stream}
const message = await stream.finalMessage();
${printContent(parameters)}`;
}

/** Node.js prints nested objects, such as the input of a tool, as "[Object]". */
function printContent({ tools }: SnippetCall["body"]): string {
  return tools ? "console.log(JSON.stringify(message.content, null, 2));" : "console.log(message.content);";
}
