/** The API whose errors a client at this path can read. OpenAI's and Anthropic's are told apart by headers. */
export type PathDialect = "google" | "ollama";

/** An API that clients call at any address, and that is not served here. */
interface UnservedApi {
  readonly name: string;
  /** Its paths without `/v1`, and all below them. `*` is any one segment. */
  readonly paths: readonly string[];
  /** What to do instead, after "here: ". */
  readonly instead: string;
  readonly dialect?: PathDialect;
}

const CHAT = "call /v1/chat/completions";
const SEND_ALL = `${CHAT} with all messages of the conversation`;
const OPEN_AI_CLIENT = "use an OpenAI client, with this gateway's address and /v1 as its base address";

/** Paths that none of these covers are refused in general words, so that the table may be behind the APIs. */
export const unservedApis: readonly UnservedApi[] = [
  {
    name: "OpenAI's Responses API beyond kept responses",
    paths: ["/responses/*/*"],
    instead: "call /v1/responses with all items of the conversation",
  },
  {
    name: "OpenAI's legacy Completions API",
    paths: ["/completions", "/engines", "/edits"],
    instead: `${CHAT} with the prompt as a message of the user`,
  },
  {
    name: "OpenAI's Assistants API",
    paths: ["/assistants", "/threads"],
    instead: `${SEND_ALL} and the assistant's instructions as a system message`,
  },
  { name: "OpenAI's ChatKit API", paths: ["/chatkit"], instead: SEND_ALL },
  {
    name: "OpenAI's list of stored completions",
    paths: ["/chat/completions/*"],
    instead: "past calls are listed at /v1/organization/requests",
  },
  { name: "OpenAI's Realtime API", paths: ["/realtime"], instead: `${CHAT} with stream set to true` },
  {
    name: "OpenAI's Fine-tuning API",
    paths: ["/fine_tuning", "/fine-tunes"],
    instead: "tune a model at its provider, and add it at /v1/organization/models",
  },
  {
    name: "OpenAI's Vector stores API",
    paths: ["/vector_stores"],
    instead: "call /v1/embeddings, and keep the vectors in a database of yours",
  },
  { name: "OpenAI's Uploads API", paths: ["/uploads"], instead: "send the whole file to /v1/files" },
  {
    name: "OpenAI's Containers API",
    paths: ["/containers"],
    instead: "run the code yourself, as a tool of /v1/chat/completions",
  },
  {
    name: "OpenAI's Evals API",
    paths: ["/evals"],
    instead: "run the cases of a prompt in the console, or send them to /v1/batches",
  },
  { name: "OpenAI's Image variations API", paths: ["/images/variations"], instead: "call /v1/images/edits" },
  {
    name: "OpenAI's video API beyond whole videos",
    paths: ["/videos/*/*"],
    instead: "call /v1/videos with a prompt",
  },
  {
    name: "OpenAI's Voices API",
    paths: ["/audio/voices", "/audio/voice_consents"],
    instead: "name a voice of the model in a call of /v1/audio/speech",
  },
  {
    name: "OpenAI's and Anthropic's Skills API",
    paths: ["/skills"],
    instead: "send the instructions as a system message",
  },
  {
    name: "OpenAI's former billing API",
    paths: ["/dashboard/billing"],
    instead: "read the balance at /v1/organization/balance",
  },
  {
    name: "Anthropic's legacy Text Completions API",
    paths: ["/complete"],
    instead: "call /v1/messages with the prompt as a message of the user",
  },
  {
    name: "Anthropic's Message Batches API",
    paths: ["/messages/batches"],
    instead: "send the calls as a file of OpenAI's form to /v1/batches",
  },
  {
    name: "Anthropic's Admin API",
    paths: ["/organizations"],
    instead: "keys, members and usage are below /v1/organization",
  },
  {
    name: "Anthropic's API of managed agents",
    paths: ["/agents", "/sessions", "/environments", "/memory_stores", "/vaults"],
    instead: "run the agent yourself, with calls of /v1/messages",
  },
  {
    name: "Google's paths for OpenAI clients",
    paths: ["/v1beta/openai"],
    instead: OPEN_AI_CLIENT,
  },
  {
    name: "Google's Gemini API",
    paths: ["/v1beta", "/v1alpha", "/projects/*/locations", "/publishers"],
    instead: `${CHAT}, or ${OPEN_AI_CLIENT}`,
    dialect: "google",
  },
  {
    name: "Ollama's API",
    paths: ["chat", "generate", "tags", "show", "embed", "embeddings", "ps", "version"]
      .concat("pull", "push", "create", "copy", "delete", "blobs")
      .map((call) => `/api/${call}`),
    instead: `${OPEN_AI_CLIENT}; models are listed at /v1/models`,
    dialect: "ollama",
  },
  {
    name: "the Rerank API of Cohere and Jina",
    paths: ["/rerank", "/v2/rerank"],
    instead: "call /v1/embeddings, and compare the vectors, or ask a model at /v1/chat/completions",
  },
  { name: "Cohere's API", paths: ["/v2/chat", "/v2/embed", "/v2/models"], instead: OPEN_AI_CLIENT },
  { name: "the Bedrock API", paths: ["/model/*/invoke", "/model/*/converse"], instead: OPEN_AI_CLIENT },
  {
    name: "the own API of a model server",
    paths: ["/completion", "/generate", "/generate_stream", "/infill", "/props", "/slots", "/api/v0"],
    instead: OPEN_AI_CLIENT,
  },
  {
    name: "a model server's tokenizer",
    paths: ["/tokenize", "/detokenize", "/apply-template"],
    instead: "count a prompt's tokens at /v1/messages/count_tokens",
  },
  {
    name: "a model server's scoring API",
    paths: ["/score", "/pooling", "/classify"],
    instead: "call /v1/embeddings or /v1/moderations",
  },
];

/** Google's calls, such as `/v1/models/gemini-2.5-pro:generateContent`, stand beside our own models. */
const GOOGLE_CALL = /^(?:\/v\d\w*)?\/(?:.+\/)?(?:models|tunedModels)\/[^:]+:[a-z]+(?:[A-Z][a-z]+)*$/;

interface UnservedPath {
  /** What the path is, and what to do instead: "belongs to …". */
  readonly description: string;
  readonly dialect: PathDialect | null;
}

/** Explains a path that clients of a known API call; null for any other. */
export function explainUnservedPath(path: string): UnservedPath | null {
  const segments = path.replace(/^(?:\/v1)+(?=\/)/, "").split("/");
  const isCall = GOOGLE_CALL.test(path);
  const api = unservedApis.find(({ paths, dialect }) =>
    isCall ? dialect === "google" : paths.some((prefix) => isBelow(segments, prefix.split("/"))),
  );
  if (!api) return null;
  const description = `belongs to ${api.name}, which is not served here: ${api.instead}.`;
  return { description, dialect: api.dialect ?? null };
}

function isBelow(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every(
    (part, index) => part === segments[index] || (part === "*" && segments[index] !== undefined),
  );
}
