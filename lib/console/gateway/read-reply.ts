/** Limits a reply's size before it is kept. */
export const MAX_BYTES = 8 * 1024 * 1024;
/** Limits a reply's size before it is parsed, by the number of commas. The longest page has several times fewer. */
const MAX_ENTRIES = 200_000;

/** A reply is larger than any valid reply of this contract. */
export class ReplyTooLarge extends Error {
  override readonly message =
    `The gateway's reply is larger than the console reads (${MAX_BYTES / 1024 / 1024} MiB, ${MAX_ENTRIES} entries). Ask for less at a time, or check what answers at GATEWAY_URL.`;
}

/**
 * A reply's JSON; undefined if it is invalid. Neither keeps nor parses anything beyond the size limit.
 * @throws ReplyTooLarge, and the body's own errors.
 */
export async function readReply(response: Response): Promise<unknown> {
  return parseReplyText(await readText(response));
}

/**
 * A reply's JSON; undefined if it is invalid.
 * @throws ReplyTooLarge
 */
export function parseReplyText(text: string): unknown {
  if (hasMoreCommasThan(text, MAX_ENTRIES)) throw new ReplyTooLarge();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A reply's text.
 * @throws ReplyTooLarge, and the body's own errors.
 */
export async function readText({ body }: Response): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop ends the transfer.
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ReplyTooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function hasMoreCommasThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let count = 0;
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) if (++count > max) return true;
  return false;
}
