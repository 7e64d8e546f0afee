import { createHash } from "node:crypto";

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The signature that the stand-in gives for a thinking text, and wants again with it. */
export function signThinking(thinking: string): string {
  return `sig_${createHash("sha256").update(thinking).digest("base64url")}`;
}

/** All fields of a request, by the reference of Anthropic's Messages API. */
const known = new Set(
  "model messages max_tokens system stream temperature top_p top_k stop_sequences metadata tools tool_choice thinking output_config output_format service_tier context_management container mcp_servers cache_control speed inference_geo".split(
    " ",
  ),
);
const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"];

class Fault extends Error {}

function need(condition: unknown, words: string): asserts condition {
  if (!condition) throw new Fault(words);
}

/** Why Anthropic's API would refuse a request with 400; null where it would take it. */
export function findRequestFault(body: Fields): string | null {
  try {
    checkFields(body);
    checkSampling(body);
    checkThinking(body);
    checkTools(body);
    checkMessages(body);
    checkCacheMarks(body);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

function checkFields(body: Fields): void {
  for (const name of Object.keys(body)) need(known.has(name), `${name}: Extra inputs are not permitted`);
  const { max_tokens, stop_sequences, metadata, output_config } = body;
  need(Number.isInteger(max_tokens) && Number(max_tokens) >= 1, "max_tokens: Field required");
  need(Number(max_tokens) <= 64_000, `max_tokens: ${max_tokens} > 64000`);
  for (const stop of (stop_sequences as string[] | undefined) ?? [])
    need(stop.trim() !== "", "stop_sequences: each stop sequence must contain non-whitespace");
  if (isFields(metadata)) {
    need(
      Object.keys(metadata).every((name) => name === "user_id"),
      "metadata: Extra inputs are not permitted",
    );
    need(
      String(metadata.user_id).length <= 256,
      "metadata.user_id: String should have at most 256 characters",
    );
  }
  if (isFields(output_config) && isFields(output_config.format)) checkClosed(output_config.format.schema);
}

/** Models since Claude 4.7, which choose their sampling and their thinking themselves. */
const isNewer = (model: unknown) =>
  /claude-(?:[5-9]|(?:opus|sonnet|haiku)-(?:[5-9]|4-[7-9]))/.test(String(model));

function checkSampling({ model, temperature, top_p, top_k }: Fields): void {
  if (temperature !== undefined)
    need(typeof temperature === "number" && temperature >= 0 && temperature <= 1, "temperature: range: 0..1");
  need(
    temperature === undefined || top_p === undefined,
    "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
  );
  if (!isNewer(model)) return;
  for (const [name, value] of Object.entries({ temperature, top_p, top_k }))
    need(value === undefined, `\`${name}\` is deprecated for this model.`);
}

/** What structured outputs take, by the guide of Anthropic's API. */
const structuredKeywords = new Set(
  "type properties required additionalProperties items anyOf allOf enum const description title $ref $defs definitions default format minItems".split(
    " ",
  ),
);
const structuredFormats = "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" ");

function checkClosed(schema: unknown, at = "output_config.format.schema"): void {
  if (!isFields(schema)) return;
  for (const keyword of Object.keys(schema))
    need(
      structuredKeywords.has(keyword),
      `${at}: For '${schema.type}' type, property '${keyword}' is not supported`,
    );
  const { type, format, minItems, properties, $defs, items, anyOf, allOf } = schema;
  need(
    format === undefined || structuredFormats.includes(String(format)),
    `${at}: format '${format}' is not supported`,
  );
  need(minItems === undefined || Number(minItems) <= 1, `${at}: 'minItems' must be 0 or 1`);
  if (type === "object")
    need(
      schema.additionalProperties === false,
      `${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`,
    );
  const named = [properties, $defs].filter(isFields).flatMap((schemas) => Object.values(schemas));
  for (const inner of [...named, items, ...[anyOf, allOf].flat()]) checkClosed(inner, at);
}

function checkThinking({
  model,
  thinking,
  max_tokens,
  temperature,
  top_k,
  tool_choice,
  messages,
}: Fields): void {
  if (!isFields(thinking) || thinking.type === "disabled") return;
  need(top_k === undefined, "`top_k` must be unset when thinking is enabled.");
  if (thinking.type === "enabled") {
    need(
      !isNewer(model),
      "thinking: `enabled` is not supported for this model. Use `adaptive` and `effort`.",
    );
    const budget = Number(thinking.budget_tokens);
    need(budget >= 1_024, "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
    need(budget < Number(max_tokens), "`max_tokens` must be greater than `thinking.budget_tokens`");
  }
  need(
    temperature === undefined || temperature === 1,
    "`temperature` may only be set to 1 when thinking is enabled",
  );
  const choice = isFields(tool_choice) ? tool_choice.type : "auto";
  need(
    choice === "auto" || choice === "none",
    "Thinking may not be enabled when tool_choice forces tool use.",
  );
  const last = (messages as Fields[]).findLast(({ role }) => role === "assistant");
  const blocks = Array.isArray(last?.content) ? (last.content as Fields[]) : [];
  const first = blocks[0]?.type;
  if (last === (messages as Fields[]).at(-1) || blocks.some(({ type }) => type === "tool_use"))
    need(
      first === "thinking" || first === "redacted_thinking",
      `messages: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\``,
    );
}

function checkTools({ tools, tool_choice, messages }: Fields): void {
  const list = (tools as Fields[] | undefined) ?? [];
  const blocks = (messages as Fields[]).flatMap(({ content }) => (Array.isArray(content) ? content : []));
  need(
    list.length > 0 || !blocks.some(({ type }) => type === "tool_use" || type === "tool_result"),
    "Requests which have `tool_use` or `tool_result` blocks in their previous messages must define tools.",
  );
  for (const [index, tool] of list.entries()) {
    if (tool.type !== undefined && tool.type !== "custom") continue;
    need(
      /^[a-zA-Z0-9_-]{1,64}$/.test(String(tool.name)),
      `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`,
    );
    need(isFields(tool.input_schema), `tools.${index}.custom.input_schema: Field required`);
    need(
      tool.input_schema.type === "object",
      `tools.${index}.custom.input_schema.type: Input should be 'object'`,
    );
    for (const keyword of ["oneOf", "allOf", "anyOf"])
      need(
        !(keyword in tool.input_schema),
        `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
      );
    if (tool.strict === true) checkClosed(tool.input_schema, `tools.${index}.custom.input_schema`);
  }
  need(new Set(list.map(({ name }) => name)).size === list.length, "tools: Tool names must be unique.");
  if (tool_choice !== undefined)
    need(list.length > 0, "tool_choice: may only be specified while providing tools");
}

function checkMessages({ messages, system }: Fields): void {
  need(Array.isArray(messages) && messages.length > 0, "messages: at least one message is required");
  if (Array.isArray(system))
    for (const block of system as Fields[]) {
      need(block.type === "text", "system.0.type: Input should be 'text'");
      need(String(block.text).trim() !== "", "system: text content blocks must be non-empty");
    }
  const used = new Set<string>();
  let before: string | null = null;
  let open: string[] = [];
  for (const [index, message] of (messages as Fields[]).entries()) {
    const at = `messages.${index}`;
    const { role, content } = message;
    for (const name of Object.keys(message))
      need(name === "role" || name === "content", `${at}.${name}: Extra inputs are not permitted`);
    need(role === "user" || role === "assistant", `${at}.role: Input should be 'user' or 'assistant'`);
    need(index > 0 || role === "user", 'messages: first message must use the "user" role');
    need(role !== before, 'messages: roles must alternate between "user" and "assistant"');
    before = String(role);
    const blocks: Fields[] =
      typeof content === "string" ? [{ type: "text", text: content }] : (content as Fields[]);
    need(Array.isArray(blocks) && blocks.length > 0, `${at}: all messages must have non-empty content`);
    const results = blocks
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id }) => String(tool_use_id));
    for (const id of open)
      need(
        results.includes(id),
        `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`,
      );
    for (const id of results)
      need(
        open.includes(id),
        `${at}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`,
      );
    const firstOther = blocks.findIndex(({ type }) => type !== "tool_result");
    need(
      firstOther < 0 || !blocks.slice(firstOther).some(({ type }) => type === "tool_result"),
      `${at}: \`tool_result\` blocks must come first`,
    );
    open = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => String(id));
    for (const id of open) {
      need(!used.has(id), `${at}: \`tool_use\` ids must be unique`);
      used.add(id);
    }
    for (const [position, block] of blocks.entries()) checkBlock(block, `${at}.content.${position}`);
    if (role === "assistant" && index === messages.length - 1) {
      const last = blocks.at(-1);
      need(
        !/\s$/.test(String(last?.text ?? "")),
        "messages: final assistant content cannot end with trailing whitespace",
      );
    }
  }
}

/** At most four blocks are marked, none of them thinking. */
function checkCacheMarks({ system, tools, messages, cache_control }: Fields): void {
  const blocks = (messages as Fields[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as Fields[]) : [],
  );
  const results = blocks.flatMap(({ content }) => (Array.isArray(content) ? (content as Fields[]) : []));
  const listed = [system, tools].flatMap((list) => (Array.isArray(list) ? (list as Fields[]) : []));
  const marked = [...listed, ...blocks, ...results].filter((block) => block.cache_control);
  need(
    marked.length + (cache_control ? 1 : 0) <= 4,
    `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`,
  );
  for (const { type } of marked)
    need(
      type !== "thinking" && type !== "redacted_thinking",
      "cache_control: Extra inputs are not permitted",
    );
}

function checkBlock(block: Fields, at: string): void {
  switch (block.type) {
    case "text":
      need(
        typeof block.text === "string" && block.text.trim() !== "",
        `${at}: text content blocks must be non-empty`,
      );
      return;
    case "image": {
      const source = block.source as Fields;
      if (source.type === "base64")
        need(
          imageTypes.includes(String(source.media_type)),
          `${at}.image.source.base64.media_type: unsupported`,
        );
      return;
    }
    case "tool_use":
      need(
        /^[a-zA-Z0-9_-]+$/.test(String(block.id)),
        `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
      );
      need(isFields(block.input), `${at}.tool_use.input: Input should be a valid dictionary`);
      return;
    case "thinking":
      need(
        block.signature === signThinking(String(block.thinking)),
        `${at}: Invalid \`signature\` in \`thinking\` block`,
      );
      return;
    case "tool_result":
      if (Array.isArray(block.content))
        for (const [index, inner] of (block.content as Fields[]).entries())
          checkBlock(inner, `${at}.content.${index}`);
  }
}
