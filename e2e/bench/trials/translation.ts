import { type Chunk, MessageEvents } from "@/lib/gateway/calls/anthropic/message-events";
import { TranslatedEvents } from "@/lib/gateway/calls/replies/whole-completion";
import { EventSplitter } from "@/lib/gateway/http/event-splitter";
import type { TrialResult } from "./trial-result";

const DELTAS = 200;
const STREAMS = 400;
const ROUNDS = 7;
const encoder = new TextEncoder();

const texts = Array.from({ length: DELTAS }, (_, index) => `word ${index} `);
const usage = { prompt_tokens: 20, completion_tokens: DELTAS, total_tokens: 220 };
const chunks: readonly Chunk[] = [
  ...texts.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { choices: [], usage },
];
const event = (type: string, fields: object) =>
  encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
const events = [
  event("message_start", {
    message: { id: "msg_1", model: "m", content: [], usage: { input_tokens: 20, output_tokens: 1 } },
  }),
  event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  ...texts.map((text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } })),
  event("content_block_stop", { index: 0 }),
  event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: DELTAS } }),
  event("message_stop", {}),
];
const facts = { toolNames: {}, callIds: [], stops: [], hasTools: false, thinking: "off" } as const;

/** A stream of chunks as a client of messages gets it: each read, translated and written as text. */
async function toMessages(): Promise<void> {
  const options = { ...facts, requestId: "req_1", model: "m", origin: "o", promptTokens: 20 };
  const translated = new MessageEvents(options);
  const splitter = new EventSplitter();
  for (const chunk of chunks) {
    const bytes = encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
    for (const one of splitter.push(bytes))
      encoder.encode(translated.translate(JSON.parse(String(one).slice(6))));
  }
  encoder.encode(translated.translate("[DONE]"));
}

/** A stream of messages as a client of chat gets it. */
async function toChat(): Promise<void> {
  let next = 0;
  const source = { read: () => (events[next++] as Uint8Array<ArrayBuffer> | undefined) ?? null };
  const reply = { toolNames: {}, customTools: [], jsonTool: null, origin: "o", createdAt: 1 };
  const translated = new TranslatedEvents(source, reply);
  while (await translated.read());
}

/** What the translation of a stream of 200 deltas costs in this process, by its median round. */
export async function tryTranslation(): Promise<TrialResult> {
  const verdicts: TrialResult["verdicts"][number][] = [];
  for (const [what, run] of [
    ["chat to messages", toMessages],
    ["messages to chat", toChat],
  ] as const) {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = process.cpuUsage();
      for (let stream = 0; stream < STREAMS; stream++) await run();
      const { user, system } = process.cpuUsage(before);
      rounds.push((user + system) / STREAMS);
    }
    const value = rounds.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? 0;
    console.log(`${what}: ${value.toFixed(0)} µs of processor time`);
    verdicts.push({
      what: `${what}, a stream of 200 deltas, µs`,
      value,
      limit: 2_000,
      goal: 600,
      isGate: true,
    });
  }
  return { verdicts, faults: [] };
}
