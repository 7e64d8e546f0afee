const MAX_LINE_LENGTH = 1_000_000;

/**
 * The `data` of each event of a server-sent event stream, as the HTML standard frames it: lines end in LF, CR or
 * CRLF, comments and other fields are passed over, several `data` lines are joined.
 * @throws Error when a line is longer than a million characters; whatever the body throws when it breaks.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
    }
  }
  // The standard drops an event without its final blank line; this accepts one from a gateway that omits it.
  if (data.length > 0) yield data.join("\n");
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be half of a CRLF, so it waits for the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_LENGTH)
      throw new Error("A line of the stream is longer than a million characters.");
    yield* lines;
  }
  rest += decoder.decode();
  if (rest) yield* rest.split(/\r\n|\n|\r/);
}
