const DELTA = Buffer.from('"delta":');
const PLAIN_TEXT = Buffer.from('{"content":"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLOSE_BRACE = 0x7d;
const LF = 0x0a;
const CR = 0x0d;

/**
 * How many bytes of text a chunk's event brings: content, reasoning, and the arguments of tools; null for an event that
 * can't be read. The usual delta, which holds content alone, is measured without parsing.
 * @param parse null for what is no JSON.
 */
export function deltaBytes(
  event: Buffer,
  parse: (event: Buffer) => { readonly choices?: unknown } | null,
): number | null {
  const at = event.indexOf(DELTA);
  if (at < 0) return parse(event) && 0;
  const delta = at + DELTA.length;
  const start = delta + PLAIN_TEXT.length;
  if (start < event.length && event.compare(PLAIN_TEXT, 0, PLAIN_TEXT.length, delta, start) === 0) {
    const end = endOfText(event, start);
    // A second choice or a second field in the same event needs a closer look.
    if (event[end + 1] === CLOSE_BRACE && event.indexOf(DELTA, end) < 0 && endsInBrace(event)) {
      return end - start;
    }
  }
  const chunk = parse(event);
  if (!chunk) return null;
  const { choices } = chunk;
  const deltas = Array.isArray(choices)
    ? choices.map((choice: unknown) => (choice as { delta?: unknown })?.delta)
    : [];
  return deltas.reduce<number>((sum, value) => sum + textBytes(value), 0);
}

function endsInBrace(event: Buffer): boolean {
  let last = event.length - 1;
  while (event[last] === LF || event[last] === CR) last--;
  return event[last] === CLOSE_BRACE;
}

function endOfText(event: Buffer, start: number): number {
  for (let end = event.indexOf(QUOTE, start); end >= 0; end = event.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (event[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return event.length;
}

/** Names and roles are no output; every other text of a delta is. */
const labels = new Set(["role", "id", "type", "index"]);

function textBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => sum + (labels.has(key) ? 0 : textBytes(inner)),
    0,
  );
}
