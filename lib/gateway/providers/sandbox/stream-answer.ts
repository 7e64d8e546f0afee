import type { Answer, Wait } from "./answer";

const encoder = new TextEncoder();

/** The answer as `chat.completion.chunk` events, one for each word of each choice. */
export function streamAnswer(
  answer: Answer,
  { wait, signal, pauseMs, isCut }: { wait: Wait; signal: AbortSignal; pauseMs: number; isCut: boolean },
): ReadableStream<Uint8Array> {
  const events = writeEvents(answer);
  const sentEvents = isCut ? events.slice(0, Math.ceil(events.length / 2)) : events;
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      if (pauseMs > 0 && next > 0) await wait(pauseMs, signal);
      signal.throwIfAborted();
      const event = sentEvents[next++];
      if (event === undefined) controller.close();
      else controller.enqueue(encoder.encode(`data: ${event}\n\n`));
    },
  });
}

function writeEvents({ head, choices, usage, wantsUsage, finishReason }: Answer): string[] {
  const chunk = (index: number, delta: object, finish_reason: string | null) =>
    JSON.stringify({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index, delta, finish_reason }],
      ...(wantsUsage && { usage: null }),
    });
  const deltas = choices.flatMap((words, index) => [
    chunk(index, { role: "assistant", content: "" }, null),
    ...words.map((content) => chunk(index, { content }, null)),
    chunk(index, {}, finishReason),
  ]);
  const usageChunk = JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [], usage });
  return [...deltas, ...(wantsUsage ? [usageChunk] : []), "[DONE]"];
}
