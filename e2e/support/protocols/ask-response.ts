import { expect } from "bun:test";
import type OpenAI from "openai";
import { officialClient } from "../clients/official-client";
import type { ServedGateway } from "../gateways/serve-gateway";
import type { Answer } from "./answer";

type Fields = Record<string, unknown>;
type ResponseBody = OpenAI.Responses.Response;
type Event = OpenAI.Responses.ResponseStreamEvent;

/** A response as its client read it, with the events of its stream and the headers of its reply. */
interface ReadResponse {
  readonly response: ResponseBody;
  readonly events: readonly Event[];
  readonly headers: Headers;
}

/** Asks for a response by the official SDK, whole or streamed, and checks that the events make up the response. */
export async function createResponse(
  gateway: Pick<ServedGateway, "baseUrl" | "key">,
  body: Fields,
  isStream: boolean,
): Promise<ReadResponse> {
  const client = officialClient(gateway.baseUrl, gateway.key);
  if (!isStream) {
    const { data, response } = await client.responses
      .create(body as unknown as OpenAI.Responses.ResponseCreateParamsNonStreaming)
      .withResponse();
    return { response: data, events: [], headers: response.headers };
  }
  const { data, response } = await client.responses
    .create({ ...body, stream: true } as unknown as OpenAI.Responses.ResponseCreateParamsStreaming)
    .withResponse();
  const events: Event[] = [];
  for await (const event of data) events.push(event);
  return { response: expectWhole(events), events, headers: response.headers };
}

/** The events that grow a text, with those that tell it whole. */
const growing: Readonly<Record<string, string>> = {
  "response.output_text.delta": "text",
  "response.refusal.delta": "refusal",
  "response.function_call_arguments.delta": "arguments",
  "response.custom_tool_call_input.delta": "input",
  "response.reasoning_text.delta": "text",
  "response.reasoning_summary_text.delta": "text",
};

/** The rules of a stream: numbers from 0, each item added and done in its order, and one event that ends it. */
function expectWhole(events: readonly Event[]): ResponseBody {
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["response.created", "response.in_progress"]);
  const last = events.at(-1);
  if (!last || !("response" in last)) throw new Error(`The stream ended with ${JSON.stringify(last)}`);
  const ends = events.filter(({ type }) => /^response\.(completed|incomplete|failed)$/.test(type));
  expect(ends).toEqual([last]);
  expect(last.type).toBe(`response.${last.response.status}` as never);
  const added = events.filter((event) => event.type === "response.output_item.added");
  const done = events.filter((event) => event.type === "response.output_item.done");
  expect(done.map(({ item }) => item)).toEqual(last.response.output);
  if (last.response.status !== "failed")
    expect(added.map(({ item, output_index }) => [item.id, item.type, output_index])).toEqual(
      done.map(({ item }, index) => [item.id, item.type, index]),
    );
  for (const event of done) expectDeltas(events, event.item as unknown as Fields);
  return last.response;
}

function expectDeltas(events: readonly Event[], item: Fields): void {
  const own = (events as unknown as Fields[]).filter(({ item_id }) => item_id === item.id);
  const joined = own.map(({ type, delta }) => (String(type) in growing ? String(delta) : "")).join("");
  const parts = [item.content, item.summary].flatMap((list) =>
    Array.isArray(list) ? (list as Fields[]) : [],
  );
  const texts = [...parts.map(({ text, refusal }) => text ?? refusal), item.arguments, item.input];
  expect(joined).toBe(texts.filter((text) => text !== undefined).join(""));
  for (const { type, ...told } of own) {
    const field = growing[String(type).replace(".done", ".delta")];
    if (field && String(type).endsWith(".done")) expect(told[field]).toBe(joined);
  }
}

/** An answer as a client of responses read it, with the id of its request. */
export async function askForResponse(
  gateway: Pick<ServedGateway, "baseUrl" | "key">,
  body: Fields,
  isStream: boolean,
) {
  const { response, headers } = await createResponse(gateway, body, isStream);
  return { answer: readResponse(response), requestId: headers.get("x-request-id") };
}

function readResponse({ output, status, incomplete_details, usage }: ResponseBody): Answer {
  const items = output as unknown as Fields[];
  const textOf = (type: string) =>
    items
      .filter((item) => item.type === type)
      .flatMap(({ content, summary }) => [...((content ?? []) as Fields[]), ...((summary ?? []) as Fields[])])
      .map(({ text }) => text)
      .join("");
  const calls = items
    .filter(({ type }) => type === "function_call")
    .map((item) => ({ name: String(item.name), input: JSON.parse(String(item.arguments)) }));
  const [thinking, text] = [textOf("reasoning"), textOf("message")];
  const details = usage?.input_tokens_details as unknown as Fields;
  const isFiltered = incomplete_details?.reason === "content_filter";
  const cut = isFiltered ? "filter" : "length";
  return {
    ...(thinking && { thinking }),
    ...(text && { text }),
    ...(calls.length > 0 && { calls }),
    end: status === "incomplete" ? cut : calls.length > 0 ? "calls" : "end",
    usage: {
      prompt: usage?.input_tokens ?? 0,
      cached: Number(details.cached_tokens),
      written: Number(details.cache_write_tokens ?? 0),
      written1h: 0,
      completion: usage?.output_tokens ?? 0,
      reasoning: usage?.output_tokens_details.reasoning_tokens ?? 0,
    },
  };
}
