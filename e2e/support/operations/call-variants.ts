const words = `It's "quoted" \\ $HOME \`id\` JSON\nüñî 🙂`;
const asked = { model: "fake", messages: [{ role: "user", content: words }] };
const said = { ...asked, max_tokens: 50 };
const responded = { model: "fake", input: asked.messages, store: false };
const schema = { type: "object", properties: { "a b": { enum: [null, true] } } };
const add = { name: "add", description: "Adds.", parameters: { type: "object", properties: {} } };
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const pdf = Buffer.from("%PDF-1.4\n%%EOF").toString("base64");
/** A text that is longer than a word of a command may be. */
const long = "A long story. ".repeat(12_000);

/** A call as a body of each endpoint. */
export interface CallVariant {
  readonly chat: Record<string, unknown>;
  readonly message: Record<string, unknown>;
  readonly response: Record<string, unknown>;
  /** What the programs print instead of the words. */
  readonly prints?: RegExp;
}

const toolTurns: CallVariant = {
  chat: {
    ...asked,
    messages: [
      { role: "user", content: "1 + 2?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "3" },
    ],
    tools: [{ type: "function", function: add }],
  },
  message: {
    ...said,
    messages: [
      { role: "user", content: "1 + 2?" },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "add", input: { a: 1 } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "3" }] },
    ],
    tools: [{ name: "add", description: "Adds.", input_schema: add.parameters }],
  },
  response: {
    ...responded,
    input: [
      { role: "user", content: "1 + 2?" },
      { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "c1", output: "3" },
    ],
    tools: [{ type: "function", ...add, strict: false }],
  },
  prints: /["']add["']/,
};

const files: CallVariant = {
  chat: {
    ...asked,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: words },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: "file", file: { filename: `a"b.pdf`, file_data: `data:application/pdf;base64,${pdf}` } },
        ],
      },
    ],
  },
  message: {
    ...said,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: words },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
          { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } },
        ],
      },
    ],
  },
  response: {
    ...responded,
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: words },
          { type: "input_image", image_url: `data:image/png;base64,${PIXEL}`, detail: "auto" },
          { type: "input_file", filename: `a"b.pdf`, file_data: `data:application/pdf;base64,${pdf}` },
        ],
      },
    ],
  },
};

/** Calls that programs make in different ways, by what is particular about them. */
export const callVariants: Readonly<Record<string, CallVariant>> = {
  "a message": { chat: asked, message: said, response: responded },
  "every number, a system text and a prefilled answer": {
    chat: {
      ...asked,
      messages: [{ role: "system", content: words }, ...asked.messages, { role: "assistant", content: "He" }],
      temperature: 0.4,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: -1,
      max_tokens: 50,
      seed: 7,
      stop: ["END", "'#'"],
    },
    message: {
      ...said,
      system: words,
      messages: [...asked.messages, { role: "assistant", content: "He" }],
      temperature: 0.4,
      top_p: 0.9,
      stop_sequences: ["END", "'#'"],
    },
    response: {
      ...responded,
      instructions: words,
      input: [...asked.messages, { role: "assistant", content: "He" }],
      temperature: 0.4,
      top_p: 0.9,
      max_output_tokens: 50,
    },
  },
  "a JSON schema and a reasoning effort": {
    chat: {
      ...asked,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } },
    },
    message: { ...said, output_config: { effort: "low", format: { type: "json_schema", schema } } },
    response: {
      ...responded,
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_schema", name: "answer", strict: true, schema } },
    },
    prints: /1234567890/,
  },
  "further parameters": {
    chat: { ...asked, logprobs: true, top_k: 5, user: "me" },
    message: { ...said, top_k: 5, metadata: { user_id: "me" } },
    response: { ...responded, parallel_tool_calls: false, metadata: { for: "me" }, user: "me" },
  },
  "a tool's call and its reply": toolTurns,
  "an image and a document": files,
  "a long text and a long answer": {
    chat: { ...asked, messages: [{ role: "user", content: long }], max_tokens: 60_000 },
    message: { ...said, messages: [{ role: "user", content: long }], max_tokens: 60_000 },
    response: { ...responded, input: [{ role: "user", content: long }], max_output_tokens: 60_000 },
  },
};
