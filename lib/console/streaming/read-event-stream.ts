const MAX_LINE_LENGTH = 1_000_000;

/** Thrown at a line that is too long, of which nothing more is read. */
export class LineTooLong extends Error {
  constructor(maxLength: number) {
    const millions = maxLength === MAX_LINE_LENGTH ? "a million" : `${maxLength / 1_000_000} million`;
    super(`The answer has a line of more than ${millions} characters, which the console does not read.`);
  }
}

/**
 * Yields the `data` of each event of a server-sent event stream, as the HTML standard frames it: lines end in LF, CR or
 * CRLF, comments and other fields are skipped, several `data` lines are joined.
 * @throws LineTooLong, and the body's own errors.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  maxLineLength = MAX_LINE_LENGTH,
): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(body, maxLineLength)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
    }
  }
  // The standard drops a final event without a blank line after it. Some gateways omit that line, so accept the event.
  if (data.length > 0) yield data.join("\n");
}

async function* readLines(body: ReadableStream<Uint8Array>, maxLength: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unreadText = "";
  for await (const chunk of body) {
    unreadText += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be the first part of a CRLF, so it waits for the next chunk.
    const lines = unreadText.split(/\r\n|\n|\r(?!$)/);
    unreadText = lines.pop() ?? "";
    for (const line of lines) yield requireShort(line, maxLength);
    requireShort(unreadText, maxLength);
  }
  unreadText += decoder.decode();
  if (unreadText) yield* unreadText.split(/\r\n|\n|\r/);
}

/** A long line is refused although it has an end, so that it doesn't matter in which chunks it comes. */
function requireShort(line: string, maxLength: number): string {
  if (line.length > maxLength) throw new LineTooLong(maxLength);
  return line;
}
