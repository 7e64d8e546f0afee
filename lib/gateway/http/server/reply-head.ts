import { STATUS_CODES } from "node:http";
import { KnownResponse } from "../known-response";
import { type PlainHeaders, PlainResponse } from "../plain-response";
import { isToken, isValue } from "./characters";

/** The headers that the server writes itself. */
const OWN = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

/** How a reply's body is delimited: by its length in bytes, by chunks, by the end of the connection, or not at all. */
export type ReplyFraming = number | "chunked" | "close" | "none";

/** The head of a reply, ready to be sent, and what it announces. */
export interface ReplyHead {
  readonly text: string;
  readonly framing: ReplyFraming;
  /** Whether the connection may carry another request. */
  readonly isPersistent: boolean;
}

interface RequestLine {
  readonly method: string;
  readonly isHttp11: boolean;
}

/**
 * Writes the head of a reply.
 * @param mayPersist whether the connection could carry another request.
 * @throws TypeError for a header that would break out of its line.
 */
export function writeHead(
  response: Response,
  { method, isHttp11 }: RequestLine,
  mayPersist: boolean,
): ReplyHead {
  const { status } = response;
  const { text: fields, length: announcedLength, closes } = writeFields(response);
  const isBare = method === "HEAD" || status === 204 || status === 304;
  const length = findLength(response) ?? announcedLength;
  const isPersistent = mayPersist && !closes && (length !== null || isHttp11 || isBare);
  let text = writeStatusLine(status) + fields;
  if (length !== null && status !== 204) text += `\r\ncontent-length: ${length}`;
  else if (isHttp11 && !isBare) text += "\r\ntransfer-encoding: chunked";
  if (!isPersistent) text += "\r\nconnection: close";
  else if (!isHttp11) text += "\r\nconnection: keep-alive";
  const framing = isBare ? "none" : (length ?? (isHttp11 ? "chunked" : "close"));
  return { text: `${text}\r\ndate: ${formatDateNow()}\r\n\r\n`, framing, isPersistent };
}

function writeFields(response: Response): WrittenFields {
  const headers: PlainHeaders = response instanceof PlainResponse ? response.plainHeaders : response.headers;
  const fields = new WrittenFields();
  if (headers instanceof Headers) for (const [name, value] of headers) fields.add(name, value);
  else for (const name in headers) fields.add(name, headers[name] as string);
  return fields;
}

class WrittenFields {
  text = "";
  /** The announced length of the body in bytes; null without one. */
  length: number | null = null;
  closes = false;

  add(name: string, value: string): void {
    const start = startHeaderLine(name);
    if (!isValue(value)) throw new TypeError(`The header ${name} has a value that can't be sent`);
    if (start !== null) this.text = `${this.text}${start}${value}`;
    else if (name.toLowerCase() === "content-length") this.length = Number(value);
    else if (name.toLowerCase() === "connection") this.closes = value === "close";
  }
}

/** The length of a body that is in memory; null for any other. */
function findLength(response: Response): number | null {
  if (response instanceof KnownResponse && !response.isStreamed) return response.bytesInAll;
  return response instanceof PlainResponse || response.body !== null ? null : 0;
}

const statusLines = new Map<number, string>();

function writeStatusLine(status: number): string {
  let line = statusLines.get(status);
  if (line === undefined)
    statusLines.set(status, (line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}`));
  return line;
}

const starts = new Map<string, string | null>();
const MAX_STARTS = 500;

/** The start of a header's line; null for one that the server writes itself. Names are few, so each is checked once. */
function startHeaderLine(name: string): string | null {
  const cached = starts.get(name);
  if (cached !== undefined) return cached;
  if (!isToken(name)) throw new TypeError(`The header "${name}" has a name that can't be sent`);
  const lower = name.toLowerCase();
  const start = OWN.has(lower) ? null : `\r\n${lower}: `;
  if (starts.size < MAX_STARTS) starts.set(name, start);
  return start;
}

let date = "";
let dateSecond = 0;

/** RFC 9110, section 6.6.1. */
function formatDateNow(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(second * 1_000).toUTCString();
  }
  return date;
}
