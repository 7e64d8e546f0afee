/**
 * OpenAI streams speech as 16-bit PCM at 24 kHz, a token for 50 ms: 3,200 characters of base64, where a text has 4 bytes.
 */
const SPEECH_BYTES_PER_TEXT_BYTE = 800;

/** What a model wrote for one choice: its message, or the delta of one. */
type Written = Readonly<Record<string, unknown>>;

/**
 * The size in bytes of the text that a model wrote: content, refusal, reasoning, tool calls, and the transcript of
 * speech. Everything else that providers add is no text: media, citations, signatures, a second copy of the reasoning.
 */
export function measureText(written: unknown): number {
  if (!isObject(written)) return 0;
  const { content, refusal, reasoning, reasoning_content, tool_calls, function_call, audio } = written;
  return (
    measureContent(content) +
    measureString(refusal) +
    // Two names for one thing; some servers send both.
    Math.max(measureString(reasoning), measureString(reasoning_content)) +
    measureToolCalls(tool_calls) +
    measureCalled(function_call) +
    (isObject(audio) ? measureString(audio.transcript) : 0)
  );
}

/** The size of the speech that a model generated, as the bytes of a text with as many tokens. */
export function measureSpeech(written: unknown): number {
  const audio = isObject(written) ? written.audio : null;
  return isObject(audio) ? measureString(audio.data) / SPEECH_BYTES_PER_TEXT_BYTE : 0;
}

/** A text, or parts with a text. Mistral has parts of reasoning, which have parts of their own. */
function measureContent(content: unknown): number {
  if (!Array.isArray(content)) return measureString(content);
  return content.reduce<number>((sum, part: unknown) => {
    if (!isObject(part)) return sum;
    return sum + measureString(part.text) + measureString(part.refusal) + measureContent(part.thinking);
  }, 0);
}

function measureToolCalls(calls: unknown): number {
  if (!Array.isArray(calls)) return 0;
  return calls.reduce<number>(
    (sum, call: unknown) =>
      isObject(call) ? sum + measureCalled(call.function) + measureCalled(call.custom) : sum,
    0,
  );
}

/** The call of a function, or of a custom tool, which has an `input` instead of arguments. */
function measureCalled(called: unknown): number {
  if (!isObject(called)) return 0;
  return measureString(called.name) + measureString(called.arguments) + measureString(called.input);
}

function measureString(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0;
}

function isObject(value: unknown): value is Written {
  return typeof value === "object" && value !== null;
}
