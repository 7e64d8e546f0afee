/** A request as a client sends it, and what the server must make of it. */
export interface RequestCase {
  readonly name: string;
  readonly sent: string;
  /** What a server reads of a valid request. */
  readonly method?: string;
  readonly url?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the connection is kept afterwards. */
  readonly isPersistent?: boolean;
  /** The status of the refusal. */
  readonly refused?: number;
}

const HOST = "host: gateway.test\r\n";
const get = (remainder: string) => `GET /x HTTP/1.1\r\n${HOST}${remainder}\r\n`;
const post = (headers: string, body: string) => `POST /x HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
const postChunked = (body: string) => post("transfer-encoding: chunked\r\n", body);
const url = "http://gateway.test/x";

export const validRequests: readonly RequestCase[] = [
  { name: "the least", sent: get(""), method: "GET", url },
  { name: "empty lines before it", sent: `\r\n\r\n${get("")}`, url },
  { name: "a length", sent: post("content-length: 5\r\n", "hello"), method: "POST", url, body: "hello" },
  { name: "a length of nothing", sent: post("content-length: 0\r\n", ""), body: "" },
  { name: "a length with zeros", sent: post("content-length: 0005\r\n", "hello"), body: "hello" },
  { name: "no body at all", sent: post("", ""), body: "" },
  { name: "a GET with a body", sent: `${get("content-length: 2\r\n")}hi`, method: "GET", body: "hi" },
  { name: "chunks", sent: postChunked("5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"), body: "hello!" },
  {
    name: "a chunk's size in capitals",
    sent: postChunked("A\r\n0123456789\r\n0\r\n\r\n"),
    body: "0123456789",
  },
  { name: "sizes with zeros", sent: postChunked("0005\r\nhello\r\n000\r\n\r\n"), body: "hello" },
  { name: "an extension", sent: postChunked('5;a=b;c="d e"\r\nhello\r\n0;x\r\n\r\n'), body: "hello" },
  { name: "a trailer", sent: postChunked("5\r\nhello\r\n0\r\nx-sum: 1\r\ny:\r\n\r\n"), body: "hello" },
  { name: "no chunks", sent: postChunked("0\r\n\r\n"), body: "" },
  {
    name: "a coding in capitals",
    sent: post("Transfer-Encoding: CHUNKED\r\n", "2\r\nhi\r\n0\r\n\r\n"),
    body: "hi",
  },
  {
    name: "headers in all forms",
    sent: get('A:1\r\nB: \t2 \t\r\nC:\r\nd-_~!#$%&\'*+.^`|: "3"\r\nE: caf\xe9\r\nb: 4\r\n'),
    headers: { a: "1", b: "2, 4", c: "", "d-_~!#$%&'*+.^`|": '"3"', e: "caf\xe9" },
  },
  { name: "a query", sent: `GET /x?a[]=1&b=%zz HTTP/1.1\r\n${HOST}\r\n`, url: `${url}?a[]=1&b=%zz` },
  {
    name: "dots, which the router gets as they are",
    sent: `GET /a/../%2e HTTP/1.1\r\n${HOST}\r\n`,
    url: "http://gateway.test/a/../%2e",
  },
  {
    name: "an absolute target, whose host counts",
    sent: `GET http://other.test:81/x?y HTTP/1.1\r\n${HOST}\r\n`,
    url: "http://other.test:81/x?y",
  },
  {
    name: "an absolute target without a path",
    sent: `GET http://other.test HTTP/1.1\r\n${HOST}\r\n`,
    url: "http://other.test/",
  },
  {
    name: "an asterisk",
    sent: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
    method: "OPTIONS",
    url: "http://gateway.test/*",
  },
  { name: "an unusual method", sent: `PURGE /x HTTP/1.1\r\n${HOST}\r\n`, method: "PURGE" },
  { name: "HEAD", sent: `HEAD /x HTTP/1.1\r\n${HOST}\r\n`, method: "HEAD" },
  { name: "an empty host", sent: "GET /x HTTP/1.1\r\nhost:\r\n\r\n", url: "http://localhost/x" },
  { name: "an IPv6 host", sent: "GET /x HTTP/1.1\r\nhost: [::1]:8080\r\n\r\n", url: "http://[::1]:8080/x" },
  { name: "HTTP/1.0", sent: "GET /x HTTP/1.0\r\n\r\n", url: "http://localhost/x", isPersistent: false },
  {
    name: "HTTP/1.0 that keeps alive",
    sent: "GET /x HTTP/1.0\r\nconnection: Keep-Alive\r\n\r\n",
    isPersistent: true,
  },
  { name: "a connection to close", sent: get("connection: foo, Close\r\n"), isPersistent: false },
  {
    name: "close in a second header",
    sent: get("connection: foo\r\nconnection: close\r\n"),
    isPersistent: false,
  },
  { name: "an option that only resembles close", sent: get("connection: closed\r\n"), isPersistent: true },
  {
    name: "an offer to upgrade, which is ignored",
    sent: get("connection: upgrade\r\nupgrade: h2c\r\n"),
    isPersistent: true,
  },
  { name: "an expectation", sent: post("expect: 100-Continue\r\ncontent-length: 2\r\n", "hi"), body: "hi" },
  { name: "100 headers", sent: get("x: y\r\n".repeat(99)) },
  { name: "a head of 16 KiB", sent: get(`x: ${"y".repeat(16 * 1024 - get("x: \r\n").length)}\r\n`) },
];

const lengths = ["-1", "+2", "0x2", "2e1", "1.0", "", "9".repeat(16), "2 2", "2,2", "2, 3", "2;", "\xb2"];
const codings = [
  "chunked, chunked",
  "gzip, chunked",
  "chunked;x",
  "chunked,",
  "xchunked",
  "identity",
  "gzip",
  "",
];

export const malformedRequests: readonly RequestCase[] = [
  { name: "another protocol", sent: "\x16\x03\x01\x02\x00\x01\x00", refused: 400 },
  { name: "no version", sent: "GET /x\r\n\r\n", refused: 400 },
  { name: "a version in small letters", sent: `GET /x http/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "two spaces", sent: `GET  /x HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "a space behind the version", sent: `GET /x HTTP/1.1 \r\n${HOST}\r\n`, refused: 400 },
  { name: "a space before the method", sent: ` GET /x HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "a tab", sent: `GET\t/x HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "a target with a space", sent: `GET /a b HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "a target with a fragment", sent: `GET /x#y HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "a target beyond ASCII", sent: `GET /\xe9 HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "a target without a slash", sent: `GET x HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  { name: "an asterisk for GET", sent: `GET * HTTP/1.1\r\n${HOST}\r\n`, refused: 400 },
  {
    name: "an absolute target of another scheme",
    sent: `GET ftp://x/ HTTP/1.1\r\n${HOST}\r\n`,
    refused: 400,
  },
  {
    name: "an absolute target with a password",
    sent: `GET http://a:b@x/ HTTP/1.1\r\n${HOST}\r\n`,
    refused: 400,
  },
  { name: "CONNECT", sent: `CONNECT x:443 HTTP/1.1\r\n${HOST}\r\n`, refused: 501 },
  { name: "HTTP/2", sent: `GET /x HTTP/2.0\r\n${HOST}\r\n`, refused: 505 },
  { name: "HTTP/1.2", sent: `GET /x HTTP/1.2\r\n${HOST}\r\n`, refused: 505 },
  { name: "HTTP/0.9", sent: "GET /x HTTP/0.9\r\n\r\n", refused: 505 },
  { name: "no host", sent: "GET /x HTTP/1.1\r\n\r\n", refused: 400 },
  { name: "two hosts", sent: get(HOST), refused: 400 },
  ...["a b", "a,b", "a/b", "a@b", "a?b", "x:port", "[::1", "1.2.3.999", "x:99999", '"x"', "<x>"].map(
    (host) => ({
      name: `a host of ${host}`,
      sent: `GET /x HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
      refused: 400,
    }),
  ),
  { name: "a header without a colon", sent: get("oops\r\n"), refused: 400 },
  { name: "a header without a name", sent: get(": x\r\n"), refused: 400 },
  { name: "a blank before a colon", sent: post("content-length : 2\r\n", "hi"), refused: 400 },
  { name: "a folded header", sent: get("x: a\r\n b\r\n"), refused: 400 },
  { name: "a folded first header", sent: `GET /x HTTP/1.1\r\n ${HOST}\r\n`, refused: 400 },
  { name: "a CR within a header", sent: get("x: a\rcontent-length: 2\r\n"), refused: 400 },
  { name: "lines that end with LF", sent: "GET /x HTTP/1.1\nhost: x\n\n", refused: 400 },
  { name: "one line that ends with LF", sent: get("x: a\ny: b\r\n"), refused: 400 },
  { name: "an empty line of LF", sent: `GET /x HTTP/1.1\r\n${HOST}\n`, refused: 400 },
  { name: "an LF before it", sent: `\n${get("")}`, refused: 400 },
  { name: "a zero byte", sent: get("x: a\0b\r\n"), refused: 400 },
  { name: "a DEL", sent: get("x: a\x7fb\r\n"), refused: 400 },
  { name: "a name beyond ASCII", sent: get("x\xe9: a\r\n"), refused: 400 },
  { name: "two lengths", sent: post("content-length: 2\r\ncontent-length: 3\r\n", "hi!"), refused: 400 },
  { name: "one length twice", sent: post("content-length: 2\r\ncontent-length: 2\r\n", "hi"), refused: 400 },
  ...lengths.map((length) => ({
    name: `a length of "${length}"`,
    sent: post(`content-length: ${length}\r\n`, "hi"),
    refused: 400,
  })),
  {
    name: "a length and chunks",
    sent: post("content-length: 2\r\ntransfer-encoding: chunked\r\n", ""),
    refused: 400,
  },
  {
    name: "chunks and a length",
    sent: post("transfer-encoding: chunked\r\ncontent-length: 2\r\n", ""),
    refused: 400,
  },
  ...codings.map((coding) => ({
    name: `a coding of "${coding}"`,
    sent: post(`transfer-encoding: ${coding}\r\n`, ""),
    refused: /\bchunked\b/.test(coding) ? 400 : 501,
  })),
  {
    name: "chunks twice",
    sent: post("transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n", ""),
    refused: 400,
  },
  {
    name: "chunks by HTTP/1.0",
    sent: "POST /x HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n",
    refused: 400,
  },
  { name: "another expectation", sent: post("expect: 200-ok\r\ncontent-length: 2\r\n", "hi"), refused: 417 },
  { name: "101 headers", sent: get("x: y\r\n".repeat(100)), refused: 431 },
  { name: "a head of more than 16 KiB", sent: get(`x: ${"y".repeat(16 * 1024)}\r\n`), refused: 431 },
  { name: "an endless header", sent: `GET /x HTTP/1.1\r\nx: ${"y".repeat(20_000)}`, refused: 431 },
  { name: "an endless target", sent: `GET /${"y".repeat(20_000)}`, refused: 414 },
];

/** Bodies that break after their head was accepted. */
export const malformedBodies: readonly RequestCase[] = [
  "\r\nhi\r\n",
  "zz\r\n",
  "-1\r\n",
  "0x2\r\nhi\r\n",
  " 2\r\nhi\r\n",
  "2 \r\nhi\r\n",
  "2\nhi\r\n",
  "2\rx\nhi\r\n",
  "2;a\nhi\r\n",
  "2\r\nhi\n0\r\n\r\n",
  "2\r\nhello\r\n0\r\n\r\n",
  "2\r\nhi\r\r\n",
  `${"f".repeat(12)}\r\n`,
  "0\r\nx y: z\r\n\r\n",
  "0\r\nx\r\n\r\n",
  "0\r\n: x\r\n\r\n",
  "0\r\nx: a\n\r\n",
  `2;${"x".repeat(20_000)}`,
  `0\r\n${"x: y\r\n".repeat(4_000)}`,
].map((body) => ({
  name: `chunks of ${JSON.stringify(body.slice(0, 30))}`,
  sent: postChunked(body),
  refused: 400,
}));
