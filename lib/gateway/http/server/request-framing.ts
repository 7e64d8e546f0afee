import { malformedRequest, unknownExpectation } from "./malformed-request";
import type { RequestHead } from "./request-head";

/** What the head says about the rest of the request and its connection. */
export interface RequestFraming {
  /** The length of the body in bytes; "chunked" if it comes in chunks. */
  readonly body: number | "chunked";
  /** Whether the connection may carry another request. */
  readonly isPersistent: boolean;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  readonly url: string;
}

const NAMES = ["host", "expect", "connection", "content-length", "transfer-encoding"];
const LENGTHS = new Set(NAMES.map(({ length }) => length));
const LENGTH = /^\d{1,15}$/;
const HOST = /^(?:[\w.~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const ABSOLUTE = /^https?:\/\/([^/?]+)(.*)$/i;

/**
 * Decides where the body ends. It refuses whatever two parsers could understand differently (RFC 9112, sections 3.2,
 * 6.1 and 6.3): a length and chunks, more than one length, any coding but `chunked`, more or less than one host.
 * @throws Refusal 400, 417 or 501.
 */
export function readFraming(head: RequestHead): RequestFraming {
  const fields = new FramingFields();
  head.each(LENGTHS, fields);
  const { host, length, coding, expectation, connection } = fields;
  if (expectation !== "" && expectation !== "100-continue") throw unknownExpectation();
  return {
    url: buildUrl(head, host),
    body: readBodyFraming(head, length, coding),
    isPersistent: head.isHttp11 ? !hasOption(connection, "close") : hasOption(connection, "keep-alive"),
    expectsContinue: expectation !== "" && head.isHttp11,
  };
}

class FramingFields {
  host: string | null = null;
  length: string | null = null;
  coding: string | null = null;
  expectation = "";
  connection = "";

  visit(name: string, value: string): void {
    switch (name) {
      case "host":
        if (this.host !== null) throw malformedRequest("The request has two Host headers. Send one.");
        this.host = value;
        break;
      case "content-length":
        if (this.length !== null)
          throw malformedRequest("The request has two Content-Length headers. Send one.");
        this.length = value;
        break;
      case "transfer-encoding":
        this.coding = this.coding === null ? value.toLowerCase() : `${this.coding}, ${value.toLowerCase()}`;
        break;
      case "expect":
        this.expectation = value.toLowerCase();
        break;
      case "connection":
        this.connection += `,${value.toLowerCase()}`;
    }
  }
}

function readBodyFraming(
  { isHttp11 }: RequestHead,
  length: string | null,
  coding: string | null,
): number | "chunked" {
  if (coding !== null) {
    if (length !== null)
      throw malformedRequest(
        "The request has a Content-Length and a Transfer-Encoding. Send only one of them.",
      );
    if (!isHttp11)
      throw malformedRequest("A request of HTTP/1.0 can't have a Transfer-Encoding. Send a Content-Length.");
    if (coding === "chunked") return coding;
    if (/(?:^|[\s,])chunked(?:$|[\s,;])/.test(coding))
      throw malformedRequest("Transfer-Encoding must be chunked, and nothing else. Send it once.");
    throw malformedRequest(
      "The only supported Transfer-Encoding is chunked. Send that, or a Content-Length.",
      501,
    );
  }
  if (length === null) return 0;
  if (!LENGTH.test(length))
    throw malformedRequest("The Content-Length must be a number of bytes, in decimal digits.");
  return Number(length);
}

function hasOption(connection: string, option: string): boolean {
  return connection !== "" && connection.split(",").some((one) => one.trim() === option);
}

/** The last valid host: almost all requests name the same one. */
let knownHost = "";

/** @throws Refusal 400 unless the request names one host, and 501 for CONNECT. */
function buildUrl({ method, target, isHttp11 }: RequestHead, hostAddress: string | null): string {
  if (hostAddress === null && isHttp11) throw malformedRequest("The request has no Host header. Send one.");
  const host = hostAddress ?? "";
  if (host !== "" && host !== knownHost) checkHost(host);
  if (method === "CONNECT")
    throw malformedRequest("The gateway is not a proxy. Send requests to it directly, without CONNECT.", 501);
  if (target.startsWith("/")) return `http://${host || "localhost"}${target}`;
  if (target === "*" && method === "OPTIONS") return `http://${host || "localhost"}/*`;
  const [, authority = "", path = ""] = ABSOLUTE.exec(target) ?? [];
  if (authority === "") throw malformedRequest("The request line has no path. Send one that begins with /.");
  checkHost(authority);
  return `http://${authority}${path.startsWith("/") ? "" : "/"}${path}`;
}

function checkHost(host: string): void {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`))
    throw malformedRequest(
      "The host is malformed. Send a host name or an IP address, with or without a port.",
    );
  knownHost = host;
}
