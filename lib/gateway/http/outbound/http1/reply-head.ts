const [CR, SPACE, TAB] = [0x0d, 0x20, 0x09];
const FOLDS = /\r?\n[ \t]+/g;

/** The server sent something that is not HTTP/1.1, or is ambiguous. The message begins with "It sent …". */
export class MalformedReply extends Error {}

/** What ends a body: the head, a length, the last chunk, or the end of the connection. */
type Framing = "none" | "length" | "chunked" | "close";

/** A reply's status line and headers. */
export class ReplyHead {
  framing: Framing = "close";
  /** The length of the body, if the framing is a length. */
  length = 0;
  /** The content coding; null for none. */
  coding: string | null = null;
  /** Whether the connection may be reused. */
  isPersistent: boolean;
  /** For how long the peer keeps an idle connection open; null if it doesn't say. */
  keptMs: number | null = null;

  constructor(
    readonly status: number,
    readonly isHttp11: boolean,
    private readonly fields: string,
  ) {
    this.isPersistent = isHttp11;
  }

  /** @param name in lower case. The values of a repeated header are joined as a list. */
  header(name: string): string | null {
    if (!fieldPattern(name).test(this.fields)) return null;
    const values: string[] = [];
    eachField(this.fields, (start, colon, end) => {
      if (colon - start !== name.length || this.fields.slice(start, colon).toLowerCase() !== name) return;
      values.push(this.fields.slice(colon + 1, end).trim());
    });
    return values.length === 0 ? null : values.join(", ");
  }
}

const fieldsByName = new Map<string, RegExp>();

/**
 * Returns a cached pattern that tests cheaply whether a header may be present. The gateway requests few names, and most
 * are absent.
 */
function fieldPattern(name: string): RegExp {
  let field = fieldsByName.get(name);
  if (!field) fieldsByName.set(name, (field = new RegExp(`^${RegExp.escape(name)}:`, "im")));
  return field;
}

/**
 * Parses a head by RFC 9112. It is strict wherever two parsers could disagree about the body's end.
 * @param text status line and headers as Latin-1, without the final empty line.
 * @throws MalformedReply
 */
export function parseHead(text: string): ReplyHead {
  if (text.includes("\0")) throw new MalformedReply("It sent a head with a zero byte");
  // A folded line is joined to its predecessor with a blank (section 5.2).
  const lines = text.includes("\n ") || text.includes("\n\t") ? text.replace(FOLDS, " ") : text;
  const lineEnd = lines.indexOf("\n");
  const fields = lineEnd < 0 ? "" : lines.slice(lineEnd + 1);
  const head = parseStatusLine(lineEnd < 0 ? lines : lines.slice(0, lineEnd), fields);
  const framing: FramingFields = { length: null, coding: null };
  eachField(fields, (start, colon, end) => {
    if (!LENGTHS_OF_READ_NAMES.has(colon - start)) return;
    readField(head, framing, fields.slice(start, colon).toLowerCase(), fields.slice(colon + 1, end).trim());
  });
  frame(head, framing);
  return head;
}

interface FramingFields {
  length: string | null;
  coding: string | null;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?\r?$/;

function parseStatusLine(line: string, fields: string): ReplyHead {
  const [, minor, status] = STATUS_LINE.exec(line) ?? [];
  if (status === undefined) throw new MalformedReply("It sent no status line of HTTP/1.1");
  return new ReplyHead(Number(status), minor === "1", fields);
}

/**
 * @param visit receives the offsets of each field's start, colon and end.
 * @throws MalformedReply for a line that is not a field.
 */
function eachField(fields: string, visit: (start: number, colon: number, end: number) => void): void {
  for (let at = 0; at < fields.length; ) {
    const lf = fields.indexOf("\n", at);
    const end = lf < 0 ? fields.length : lf;
    const last = fields.charCodeAt(end - 1) === CR ? end - 1 : end;
    const colon = fields.indexOf(":", at);
    if (colon <= at || colon >= last || isBlank(fields.charCodeAt(colon - 1)))
      throw new MalformedReply("It sent a header line that is none");
    const cr = fields.indexOf("\r", at);
    if (cr >= 0 && cr < last) throw new MalformedReply("It sent a carriage return within a header");
    visit(at, colon, last);
    at = end + 1;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** A head has about twenty fields and only these are needed, so their lengths rule out most others. */
const READ_NAMES = ["connection", "keep-alive", "content-length", "content-encoding", "transfer-encoding"];
const LENGTHS_OF_READ_NAMES = new Set(READ_NAMES.map(({ length }) => length));

function readField(head: ReplyHead, framing: FramingFields, name: string, value: string): void {
  switch (name) {
    case "connection":
      if (value.toLowerCase().includes("close")) head.isPersistent = false;
      break;
    case "keep-alive": {
      const seconds = /\btimeout=(\d{1,6})/i.exec(value)?.[1];
      if (seconds !== undefined) head.keptMs = Number(seconds) * 1_000;
      break;
    }
    case "content-length":
      if (framing.length !== null && framing.length !== value)
        throw new MalformedReply("It sent two lengths of one reply");
      framing.length = value;
      break;
    case "content-encoding":
      if (value.toLowerCase() !== "identity") head.coding = value.toLowerCase();
      break;
    case "transfer-encoding":
      framing.coding = framing.coding === null ? value.toLowerCase() : `${framing.coding}, ${value}`;
  }
}

/** Section 6.3. */
function frame(head: ReplyHead, { length, coding }: FramingFields): void {
  if (head.status < 200 || head.status === 204 || head.status === 304) head.framing = "none";
  else if (coding !== null) {
    if (length !== null) throw new MalformedReply("It sent a reply in chunks that has a length too");
    if (coding !== "chunked")
      throw new MalformedReply("It sent a reply in a transfer coding that is not known");
    if (!head.isHttp11) throw new MalformedReply("It sent chunks by HTTP/1.0");
    head.framing = "chunked";
  } else if (length !== null) {
    head.framing = "length";
    head.length = parseLength(length);
  } else head.isPersistent = false;
}

const LENGTH = /^\d{1,15}$/;

/** A repeated length is accepted if all of its values are equal. */
function parseLength(value: string): number {
  if (LENGTH.test(value)) return Number(value);
  const [first = "", ...otherValues] = value.split(",").map((one) => one.trim());
  if (!LENGTH.test(first) || otherValues.some((other) => other !== first))
    throw new MalformedReply("It sent a length that is none");
  return Number(first);
}
