type Fields = Record<string, unknown>;

/** Which models answer: usual ones, those that reason, or Gemini's in its chat dialect. */
export type OpenaiDialect = "usual" | "reasoning" | "gemini";

/** Why a request is refused, as OpenAI tells it. */
export interface RequestFault {
  readonly message: string;
  readonly param?: string | undefined;
  readonly code?: string | undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listFields = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

class Fault extends Error {
  constructor(
    message: string,
    readonly param?: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

function need(condition: unknown, message: string, param?: string, code?: string): asserts condition {
  if (!condition) throw new Fault(message, param, code);
}

const names = (words: string) => new Set(words.split(" "));

/** All fields of a request, by the reference of OpenAI's chat completions. */
const knownFields = names(
  "model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop presence_penalty frequency_penalty logit_bias logprobs top_logprobs seed user tools tool_choice parallel_tool_calls functions function_call response_format reasoning_effort verbosity modalities audio prediction service_tier store metadata prompt_cache_key prompt_cache_retention safety_identifier web_search_options",
);
const knownOfMessage = names("role content name tool_calls tool_call_id function_call refusal audio");
const knownOfTool = names("type function custom");
const efforts = names("none minimal low medium high xhigh");

/** What models that reason refuse, whatever its value, and with a value that isn't the usual one. */
const refusedByReasoning = ["max_tokens", "stop", "logprobs", "logit_bias"];
const fixedByReasoning: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
};

/** The signature that the stand-in of Gemini gives with a call, and wants again. */
export function signCall(name: string): string {
  return `sig_${name}`;
}
const SKIPPED_SIGNATURE = "skip_thought_signature_validator";

/** Why OpenAI's API, or Gemini's in its dialect, would refuse a request with 400; null where it would take it. */
export function findChatFault(body: Fields, dialect: OpenaiDialect): RequestFault | null {
  try {
    checkFields(body, dialect);
    checkSampling(body, dialect);
    checkFormat(body.response_format);
    checkTools(body);
    checkMessages(listFields(body.messages), dialect);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { message: error.message, param: error.param, code: error.code };
  }
}

function checkFields(body: Fields, dialect: OpenaiDialect): void {
  for (const name of Object.keys(body)) {
    const words =
      dialect === "gemini"
        ? `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`
        : `Unrecognized request argument supplied: ${name}`;
    need(knownFields.has(name), words);
  }
  need(Array.isArray(body.messages) && body.messages.length > 0, "[] is too short - 'messages'", "messages");
  need(
    body.stream_options === undefined || body.stream === true,
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    "stream_options",
  );
  need(
    String(body.user ?? "").length <= 64,
    "Invalid 'user': string too long. Expected a string with maximum length 64",
    "user",
    "string_above_max_length",
  );
  const stops = [body.stop ?? []].flat();
  need(
    stops.length <= 4,
    "Invalid 'stop': array too long. Expected at most 4",
    "stop",
    "array_above_max_length",
  );
  need(
    body.max_tokens === undefined || body.max_completion_tokens === undefined,
    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
  );
}

function checkSampling(body: Fields, dialect: OpenaiDialect): void {
  const { reasoning_effort: effort } = body;
  need(
    effort === undefined || efforts.has(String(effort)),
    "Invalid value for reasoning_effort",
    "reasoning_effort",
  );
  if (dialect === "usual")
    need(effort === undefined, "Unrecognized request argument supplied: reasoning_effort");
  need(
    Number(body.temperature ?? 0) <= 2,
    "Invalid 'temperature': decimal above maximum value",
    "temperature",
  );
  if (dialect !== "reasoning") return;
  for (const name of refusedByReasoning)
    need(
      body[name] === undefined,
      `Unsupported parameter: '${name}' is not supported with this model.${name === "max_tokens" ? " Use 'max_completion_tokens' instead." : ""}`,
      name,
      "unsupported_parameter",
    );
  for (const [name, only] of Object.entries(fixedByReasoning))
    need(
      body[name] === undefined || body[name] === only,
      `Unsupported value: '${name}' does not support ${body[name]} with this model. Only the default (${only}) value is supported.`,
      name,
      "unsupported_value",
    );
}

function checkFormat(format: unknown): void {
  if (!isFields(format) || format.type !== "json_schema") return;
  const { name, schema, strict } = isFields(format.json_schema) ? format.json_schema : {};
  need(/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)), "Invalid 'response_format.json_schema.name'");
  if (strict === true) checkStrict(schema, "response_format 'output'");
}

/** The rules of `strict`, by OpenAI's guide on structured outputs. */
function checkStrict(schema: unknown, of: string): void {
  if (!isFields(schema)) return;
  const refuse = (why: string) => `Invalid schema for ${of}: ${why}`;
  for (const keyword of [
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "patternProperties",
  ])
    need(!(keyword in schema), refuse(`'${keyword}' is not permitted.`));
  if (schema.type === "object" || isFields(schema.properties)) {
    const { properties, required } = schema;
    need(
      schema.additionalProperties === false,
      refuse("'additionalProperties' is required to be supplied and to be false."),
    );
    for (const name of Object.keys(isFields(properties) ? properties : {}))
      need(
        Array.isArray(required) && required.includes(name),
        refuse(`'required' is required to be an array including every key in properties. Missing '${name}'.`),
      );
    for (const inner of Object.values(isFields(properties) ? properties : {})) checkStrict(inner, of);
  }
  for (const inner of [schema.items, ...listFields(schema.anyOf)]) checkStrict(inner, of);
}

function checkTools({ tools, tool_choice, parallel_tool_calls }: Fields): void {
  if (tools === undefined) {
    need(tool_choice === undefined, "'tool_choice' is only allowed when 'tools' are specified.");
    need(
      parallel_tool_calls === undefined,
      "'parallel_tool_calls' is only allowed when 'tools' are specified.",
    );
    return;
  }
  need(Array.isArray(tools) && tools.length > 0, "[] is too short - 'tools'", "tools");
  const called = listFields(tools).map((tool) => {
    need(
      Object.keys(tool).every((name) => knownOfTool.has(name)),
      "Unknown parameter: 'tools[0]'",
    );
    return (isFields(tool.function) ? tool.function : tool.custom) as Fields;
  });
  for (const { name, parameters, strict } of called) {
    need(
      /^[a-zA-Z0-9_-]{1,64}$/.test(String(name)),
      "Invalid 'tools[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.",
    );
    if (parameters === undefined) continue;
    const refuse = (why: string) => `Invalid schema for function '${name}': ${why}`;
    need(
      isFields(parameters) && parameters.type === "object",
      refuse(`schema must be a JSON Schema of 'type: "object"'`),
    );
    need(isFields(parameters.properties), refuse("object schema missing properties."));
    for (const keyword of ["oneOf", "anyOf", "allOf", "enum", "not"])
      need(!(keyword in parameters), refuse(`schema must not have '${keyword}' at the top level.`));
    if (strict === true) checkStrict(parameters, `function '${name}'`);
  }
  if (!isFields(tool_choice) || !isFields(tool_choice.function)) return;
  const chosen = tool_choice.function.name;
  need(
    called.some(({ name }) => name === chosen),
    `Tool choice 'function' not found in 'tools' parameter: ${chosen}`,
  );
}

const roles = names("system developer user assistant tool function");

function checkMessages(messages: readonly Fields[], dialect: OpenaiDialect): void {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    const { role, content, tool_calls, tool_call_id } = message;
    need(roles.has(String(role)), `Invalid value: '${role}'.`, `${at}.role`);
    for (const name of Object.keys(message))
      need(
        knownOfMessage.has(name) || dialect === "gemini",
        `Additional properties are not allowed ('${name}' was unexpected) - '${at}'`,
      );
    if (role === "tool") {
      need(
        open.includes(String(tool_call_id)),
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      );
      open = open.filter((id) => id !== tool_call_id);
    } else
      need(
        open.length === 0,
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
      );
    checkContent(message, at);
    if (tool_calls !== undefined) open = checkCalls(tool_calls, at);
    else
      need(
        role !== "assistant" || content !== null,
        `Invalid value for 'content': expected a string, got null.`,
      );
  }
  need(open.length === 0, "An assistant message with 'tool_calls' must be followed by tool messages");
  if (dialect === "gemini") checkSignatures(messages);
}

function checkCalls(calls: unknown, at: string): string[] {
  need(Array.isArray(calls) && calls.length > 0, `[] is too short - '${at}.tool_calls'`);
  return listFields(calls).map((call, index) => {
    const { id, type, function: called } = call;
    const place = `${at}.tool_calls[${index}]`;
    need(typeof id === "string" && id.length <= 40, `Invalid '${place}.id': string too long.`);
    need(type === "function" || type === "custom", `Missing required parameter: '${place}.type'.`);
    if (isFields(called)) {
      need(/^[a-zA-Z0-9_-]{1,64}$/.test(String(called.name)), `Invalid '${place}.function.name'`);
      need(typeof called.arguments === "string", `Invalid type for '${place}.function.arguments'`);
    }
    return id;
  });
}

const partTypes: Readonly<Record<string, ReadonlySet<string>>> = {
  user: names("text image_url input_audio file"),
  assistant: names("text refusal"),
  tool: names("text"),
  system: names("text"),
  developer: names("text"),
};

function checkContent({ role, content }: Fields, at: string): void {
  if (content === undefined || content === null || typeof content === "string") return;
  need(Array.isArray(content) && content.length > 0, `Invalid '${at}.content': empty array.`);
  for (const [index, part] of listFields(content).entries()) {
    const place = `${at}.content[${index}]`;
    need(
      partTypes[String(role)]?.has(String(part.type)),
      `Invalid value: '${part.type}'.`,
      `${place}.type`,
      "invalid_value",
    );
    if (part.type === "image_url") {
      const { url } = isFields(part.image_url) ? part.image_url : {};
      need(
        /^https?:\/\/|^data:image\/(png|jpeg|gif|webp);base64,/.test(String(url)),
        `Invalid '${place}.image_url.url': unsupported image`,
      );
    }
    if (part.type === "file") {
      const { file_id, filename, file_data } = isFields(part.file) ? part.file : {};
      if (file_id !== undefined) continue;
      need(typeof filename === "string", `Missing required parameter: '${place}.file.file_id'.`);
      need(
        String(file_data).startsWith("data:application/pdf;base64,"),
        `Invalid file data: '${place}.file.file_data'. Expected a base64-encoded data URL with an application/pdf MIME type.`,
      );
    }
  }
}

/** The first call of each turn since the user's last words has the signature with which Gemini gave it. */
function checkSignatures(messages: readonly Fields[]): void {
  const start = messages.findLastIndex(({ role }) => role === "user");
  for (const message of messages.slice(start + 1)) {
    const [call] = listFields(message.tool_calls);
    if (!call || !isFields(call.function)) continue;
    const { google } = isFields(call.extra_content) ? call.extra_content : {};
    const signature = isFields(google) ? google.thought_signature : undefined;
    const { name } = call.function;
    need(
      signature === signCall(String(name)) || signature === SKIPPED_SIGNATURE,
      `Function call is missing a thought_signature in functionCall parts. Additional data, function call \`default_api:${name}\``,
    );
  }
}
