/** An answer of a provider of chats that waits for its test. */
export type HeldAnswer = ReturnType<typeof holdAnswer>;

/** Answers every call with a stream that says what the test says, and ends when it does. */
export function holdAnswer() {
  let noteBegun = () => {};
  let noteAborted = () => {};
  const begun = new Promise<void>((resolve) => {
    noteBegun = resolve;
  });
  const aborted = new Promise<void>((resolve) => {
    noteAborted = resolve;
  });
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const said: string[] = [];
  let isEnded = false;
  const write = (fields: object) => Buffer.from(`data: ${JSON.stringify(fields)}\n\n`);
  const tell = (content: string) =>
    write({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  const finish = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    stream.enqueue(write({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
    stream.enqueue(write({ choices: [], usage }));
    stream.enqueue(Buffer.from("data: [DONE]\n\n"));
    stream.close();
  };
  return {
    /** Resolves once a call has come, and once a client has left. */
    begun,
    aborted,
    answer(left: Promise<void>): Response {
      void left.then(noteAborted);
      noteBegun();
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          stream.enqueue(
            write({ choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: null }] }),
          );
          for (const content of said) stream.enqueue(tell(content));
          if (isEnded) return finish(stream);
          streams.add(stream);
          void left.then(() => streams.delete(stream));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    say(content: string): void {
      said.push(content);
      for (const stream of streams) stream.enqueue(tell(content));
    },
    end(): void {
      isEnded = true;
      for (const stream of streams) finish(stream);
      streams.clear();
    },
  };
}
