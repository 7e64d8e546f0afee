import { invalid, Refusal } from "../ports/refusal";

const MAX_DEPTH = 64;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Parses a JSON object from the bytes of a request.
 * @throws Refusal 400 for invalid UTF-8, text that is not JSON, anything but an object, numbers beyond a float's range,
 *   and nesting deeper than 64.
 */
export function parseJsonObject(bytes: Uint8Array): { text: string; value: Record<string, unknown> } {
  const text = decode(bytes);
  if (text.trim() === "") throw invalid("body", "The body is empty; send a JSON object.", "invalid_json");
  refuseDeepNesting(text);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("body", "The body must be a JSON object.", "invalid_json");
  }
  return { text, value: value as Record<string, unknown> };
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid("body", "The body is not valid UTF-8.", "invalid_utf8");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "unreadable";
    throw invalid("body", `The body is not JSON: ${reason}.`, "invalid_json");
  }
}

/** Counted on the text, before parsing: a parser's own recursion is what deep nesting attacks. */
function refuseDeepNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) {
        throw new Refusal(
          400,
          "invalid_request_error",
          "too_deep",
          `The body is nested deeper than ${MAX_DEPTH}.`,
          {
            param: "body",
          },
        );
      }
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
}
