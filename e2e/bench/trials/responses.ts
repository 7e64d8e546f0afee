import { median } from "../measure";
import { readCpuMicroseconds } from "../program";
import { startBenchStage } from "../start-stage";
import { plainBody, streamBody } from "../workloads";
import type { TrialResult } from "./trial-result";

const ROUNDS = 9;
const SLICE_MS = 700;
/** Until the just-in-time compilers have seen each path. */
const WARMUP_ROUNDS = 10;

type Fields = Record<string, unknown>;

/** The request of responses that asks for what a chat does. */
function toResponse(chatBody: string): string {
  const { messages, max_tokens, tools, ...others } = JSON.parse(chatBody) as {
    messages: readonly Fields[];
    max_tokens: number;
    tools?: readonly { readonly function: Fields }[];
  };
  const input = messages.flatMap(({ role, content, tool_calls, tool_call_id: call_id }): Fields[] => {
    if (role === "tool") return [{ type: "function_call_output", call_id, output: content }];
    const calls = (tool_calls ?? []) as { id: string; function: Fields }[];
    if (calls.length === 0) return [{ role, content }];
    return calls.map((call) => ({ type: "function_call", call_id: call.id, ...call.function }));
  });
  const functions = tools?.map((tool) => ({ type: "function", ...tool.function }));
  return JSON.stringify({
    ...others,
    input,
    max_output_tokens: max_tokens,
    ...(functions && { tools: functions }),
  });
}

/** A turn of an agent: its tools, and what they were called with and gave so far. */
function writeToolLoop(): string {
  const { messages, ...others } = JSON.parse(streamBody()) as { messages: readonly Fields[] };
  const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const tools = ["read_file", "write_file", "list_files", "run", "search", "fetch"].map((name) => ({
    type: "function",
    function: { name, description: `The tool ${name} of a coding agent. `.repeat(6), parameters },
  }));
  const turns = Array.from({ length: 8 }, (_, turn): Fields[] => {
    const call = { name: "read_file", arguments: JSON.stringify({ path: `src/${turn}.ts` }) };
    return [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `call_${turn}`, type: "function", function: call }],
      },
      { role: "tool", tool_call_id: `call_${turn}`, content: "export const one = 1;\n".repeat(20) },
    ];
  });
  return JSON.stringify({ ...others, messages: [...messages, ...turns.flat()], tools });
}

const pairs = [
  { what: "a plain response ÷ a plain chat", chat: plainBody },
  { what: "a streamed response ÷ a streamed chat", chat: streamBody() },
  { what: "a tool loop by responses ÷ by chat", chat: writeToolLoop() },
];

/** What a response costs for a provider of chats beside the chat itself, both in turns on one gateway. */
export async function tryResponses(): Promise<TrialResult> {
  const stage = await startBenchStage();
  let whole = 0;
  const spend = async (path: string, body: string) => {
    const before = readCpuMicroseconds(stage.pid);
    const { replies, failures } = await stage.offer({ path, body, connections: 16, durationMs: SLICE_MS });
    const failed = Object.entries(failures);
    if (failed.length > 0) throw new Error(`Replies were no whole 200s: ${JSON.stringify(failed)}`);
    whole += replies;
    return (readCpuMicroseconds(stage.pid) - before) / replies;
  };
  const verdicts: TrialResult["verdicts"][number][] = [];
  for (const { what, chat } of pairs) {
    const response = toResponse(chat);
    const rounds: { readonly chatUs: number; readonly responseUs: number }[] = [];
    for (let round = -WARMUP_ROUNDS; round < ROUNDS; round++) {
      const chatUs = await spend("/v1/chat/completions", chat);
      const responseUs = await spend("/v1/responses", response);
      if (round >= 0) rounds.push({ chatUs, responseUs });
    }
    const [ofChat, ofResponse] = [
      rounds.map(({ chatUs }) => chatUs),
      rounds.map(({ responseUs }) => responseUs),
    ];
    console.log(
      `${what}: ${median(ofResponse).toFixed(0)} ÷ ${median(ofChat).toFixed(0)} µs of processor time`,
    );
    const value = median(rounds.map(({ chatUs, responseUs }) => responseUs / chatUs));
    verdicts.push({ what: `CPU of ${what}`, value, limit: 1.1, goal: 1, isGate: false });
  }
  return { verdicts, faults: await stage.stop({ whole }) };
}
