import type { OutputLimitField, ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { isObject } from "@/lib/contract/json-value";
import type { ProtocolFinding } from "@/lib/contract/operations/models/provider-tests";
import { parseBounded } from "../../http/json";
import type { SentRequest, ServerReply } from "../../http/outbound/server-reply";
import { describeFailureCause } from "../explain-failure";
import { ReplyTooLong } from "../media-client";
import type { ProviderRequest } from "../provider-client";
import { ProviderRefusal } from "../provider-failure";
import type { ProviderLink } from "../provider-link";
import { readProviderError } from "../read-provider-error";
import { findNamedField } from "../refused-fields";

/** How long one call of one token may take. A server may load the model first. */
const ANSWER_MS = 20_000;
const MAX_BYTES = 256 * 1024;
/** The least that the protocol's own service takes. */
const LEAST_RESPONSE_TOKENS = 16;

const hello = [{ role: "user", content: "Hi" }];

/** A call of one token in each protocol, and what the answer in it has. */
const calls: Readonly<
  Record<
    ProviderProtocol,
    {
      readonly endpoint: ProviderRequest["endpoint"];
      build(model: string, limit: OutputLimitField): object;
      isAnswer(answer: Record<string, unknown>): boolean;
    }
  >
> = {
  chat: {
    endpoint: "chat/completions",
    build: (model, limit) => ({ model, messages: hello, [limit]: 1, stream: false }),
    isAnswer: ({ choices }) => Array.isArray(choices),
  },
  messages: {
    endpoint: "messages",
    build: (model) => ({ model, messages: hello, max_tokens: 1 }),
    isAnswer: ({ type, content }) => type === "message" && Array.isArray(content),
  },
  responses: {
    endpoint: "responses",
    build: (model) => ({ model, input: "Hi", max_output_tokens: LEAST_RESPONSE_TOKENS, store: false }),
    isAnswer: ({ object, output }) => object === "response" && Array.isArray(output),
  },
};

/** Calls a model in a protocol for one token, and says what the server answered. Bounded in time and in size. */
export async function probeProtocol(
  protocol: ProviderProtocol,
  model: string,
  { link, provider }: { readonly link: ProviderLink; readonly provider: string },
): Promise<ProtocolFinding> {
  const { outputLimitField: usual } = link;
  const first = await callOnce(protocol, model, { link, provider, limit: usual });
  const isLimitRefused =
    protocol === "chat" && first.status === 400 && findNamedField(first.words, [usual]) !== null;
  if (!isLimitRefused) return first.finding;
  const other = usual === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return (await callOnce(protocol, model, { link, provider, limit: other })).finding;
}

interface CallResult {
  readonly finding: ProtocolFinding;
  readonly status: number | null;
  /** The server's own words. */
  readonly words: string;
}

async function callOnce(
  protocol: ProviderProtocol,
  model: string,
  { link, provider, limit }: { link: ProviderLink; provider: string; limit: OutputLimitField },
): Promise<CallResult> {
  const { endpoint, build, isAnswer } = calls[protocol];
  const request = {
    requestId: "provider-test",
    endpoint,
    body: JSON.stringify(build(model, limit)),
    stream: false,
  };
  try {
    const { status, text } = await askWithin(() => link.client.send?.(request), ANSWER_MS, MAX_BYTES);
    const conceal = (words: string) => link.client.conceal?.(words) ?? words;
    const { message = "", code = "" } = readProviderError(text, conceal);
    const judged = judge(status, { text, words: message, code, model }, isAnswer);
    return { finding: { protocol, status, ...judged }, status, words: message };
  } catch (error) {
    const message = describeUnanswered(error, provider);
    return { finding: { protocol, outcome: "unknown", status: null, message }, status: null, words: "" };
  }
}

interface Answer {
  readonly text: string;
  readonly words: string;
  readonly code: string;
  readonly model: string;
}

/** Matches the error for an unknown model, which a server without the path doesn't give. */
const NAMES_MODEL = /model|deployment/i;
const NAMES_PATH = /\b(url|path|route|endpoint|page|file not found|method|post)\b|unknown_url/i;
/** One token is too few for some models that think first. */
const TOO_FEW = /max_tokens|max_completion_tokens|max_output_tokens|output limit|output tokens/i;

function judge(
  status: number,
  { text, words, code, model }: Answer,
  isAnswer: (answer: Record<string, unknown>) => boolean,
): Pick<ProtocolFinding, "outcome" | "message"> {
  const said = words ? `: “${words.replace(/\.$/, "")}”.` : ".";
  const refused = (mend: string) => ({
    outcome: "refused" as const,
    message: `It refused the call (${status})${said}${mend && ` ${mend}`}`,
  });
  if (status < 300)
    return isAnswer(parse(text))
      ? { outcome: "answered", message: `It answered (${status}).` }
      : { outcome: "absent", message: `It answered (${status}), but not in this protocol${said}` };
  if (status < 400)
    return {
      outcome: "unknown",
      message: `It leads elsewhere (${status}), and no key is sent there. Correct base_url.`,
    };
  if ([404, 405, 501].includes(status)) {
    const isModels = NAMES_MODEL.test(`${code} ${words}`) && !NAMES_PATH.test(`${code} ${words}`);
    if (isModels) return refused(`Test with a model that the key may call, instead of ${model}.`);
    return { outcome: "absent", message: `It has no such path (${status})${said}` };
  }
  if (status === 400 && TOO_FEW.test(words))
    return { outcome: "answered", message: `It speaks it; one token is too few for ${model} (400)${said}` };
  if (status >= 500) return { outcome: "unknown", message: `It failed (${status})${said} Try again later.` };
  return refused(mends[status] ?? "");
}

const mends: Readonly<Record<number, string>> = {
  401: "Replace the provider's key.",
  402: "Top up the gateway's account there.",
  403: "Use another key, or extend its permissions.",
  429: "Wait for its limits to pass, or raise them there.",
};

function parse(text: string): Record<string, unknown> {
  try {
    const value = parseBounded(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The server didn't answer, or not to the end, in time. */
class AnswerTimeout extends Error {}

/** A reply that was read whole. */
interface WholeReply {
  readonly status: number;
  readonly text: string;
  /** @param name in lower case. */
  header(name: string): string | null;
}

/**
 * Sends a request and reads the whole reply, both within `ms` and `maxBytes`, whatever the server does.
 * @throws AnswerTimeout, ReplyTooLong, or the connection's error.
 */
export async function askWithin(
  send: () => SentRequest | undefined,
  ms: number,
  maxBytes: number,
): Promise<WholeReply> {
  const sent = send();
  if (!sent) throw new TypeError("There is no server to ask");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new AnswerTimeout(`It gave no whole answer in ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([readWhole(sent.reply, maxBytes), late]);
  } finally {
    clearTimeout(timer);
    sent.cancel();
  }
}

async function readWhole(replied: Promise<ServerReply>, maxBytes: number): Promise<WholeReply> {
  const reply = await replied;
  const tooLong = () => new ReplyTooLong(`It sent more than ${Math.round(maxBytes / 1024)} KB`);
  if ((reply.contentLength ?? 0) > maxBytes) throw tooLong();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLong();
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  return { status: reply.status, text, header: (name) => reply.header(name) };
}

/** Why there was no answer, in a sentence. */
export function describeUnanswered(error: unknown, provider: string): string {
  const cause =
    error instanceof AnswerTimeout || error instanceof ReplyTooLong
      ? error.message
      : describeFailureCause(new ProviderRefusal(502, "", { cause: error }), { provider, model: "" });
  return `${cause.replace(/\.$/, "")}.`;
}
