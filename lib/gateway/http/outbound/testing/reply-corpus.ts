/** Bytes that a provider may send, and the expected outcome. */
export interface ReplyCase {
  readonly name: string;
  readonly sent: string;
  /** The connection is closed after these bytes. */
  readonly isClosed?: true;
  /** The reply as its reader sees it; or a part of the error message if there is no reply, or none to its end. */
  readonly status?: number;
  readonly body?: string;
  readonly fault?: string;
  /** The number of bytes after the reply's end. */
  readonly surplus?: number;
  readonly isPersistent?: boolean;
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

const wholeReplyCases: ReplyCase[] = [
  { name: "a length", sent: `${OK}content-length: 5\r\n\r\nhello`, body: "hello" },
  { name: "a length of nothing", sent: `${OK}content-length: 0\r\n\r\n`, body: "" },
  { name: "no reason", sent: "HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nhi", body: "hi" },
  { name: "an empty reason", sent: "HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nhi", body: "hi" },
  { name: "headers in capitals and with blanks", sent: `${OK}CONTENT-LENGTH: \t 2 \t\r\n\r\nhi`, body: "hi" },
  { name: "a header without a value", sent: `${OK}x-empty:\r\ncontent-length:2\r\n\r\nhi`, body: "hi" },
  { name: "Latin-1 in a header", sent: `${OK}x-name: caf\xe9\r\ncontent-length: 2\r\n\r\nhi`, body: "hi" },
  {
    name: "a folded header",
    sent: `${OK}x-long: one\r\n  two\r\n\tthree\r\ncontent-length: 2\r\n\r\nhi`,
    body: "hi",
  },
  { name: "a folded length", sent: `${OK}content-length:\r\n 2\r\n\r\nhi`, body: "hi" },
  { name: "lines that end with LF", sent: "HTTP/1.1 200 OK\ncontent-length: 2\n\nhi", body: "hi" },
  { name: "an empty line of LF", sent: `${OK}content-length: 4\r\n\n\r\n\r\n`, body: "\r\n\r\n" },
  { name: "an empty line of CRLF behind LF", sent: "HTTP/1.1 200 OK\ncontent-length: 2\n\r\nhi", body: "hi" },
  { name: "a length twice", sent: `${OK}content-length: 2\r\nContent-Length: 2\r\n\r\nhi`, body: "hi" },
  { name: "a length as a list of one", sent: `${OK}content-length: 2, 2\r\n\r\nhi`, body: "hi" },
  { name: "an error", sent: "HTTP/1.1 500 Oh\r\ncontent-length: 2\r\n\r\nhi", status: 500, body: "hi" },
  {
    name: "a redirect",
    sent: "HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n",
    status: 302,
    body: "",
  },
  {
    name: "nothing by 204",
    sent: "HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n",
    status: 204,
    body: "",
  },
  {
    name: "nothing by 304",
    sent: "HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n",
    status: 304,
    body: "",
  },
  {
    name: "100 before it",
    sent: `HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\nhi`,
    body: "hi",
  },
  {
    name: "103 twice before it",
    sent: `${"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(2)}${OK}content-length: 2\r\n\r\nhi`,
    body: "hi",
  },
];

const connections: ReplyCase[] = [
  {
    name: "the end of the connection",
    sent: `${OK}\r\nhello`,
    isClosed: true,
    body: "hello",
    isPersistent: false,
  },
  {
    name: "nothing until the end of the connection",
    sent: `${OK}\r\n`,
    isClosed: true,
    body: "",
    isPersistent: false,
  },
  {
    name: "connection: close",
    sent: `${OK}Connection: Close\r\ncontent-length: 2\r\n\r\nhi`,
    body: "hi",
    isPersistent: false,
  },
  {
    name: "close among others",
    sent: `${OK}connection: foo, close\r\ncontent-length: 2\r\n\r\nhi`,
    body: "hi",
    isPersistent: false,
  },
  {
    name: "HTTP/1.0",
    sent: "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi",
    body: "hi",
    isPersistent: false,
  },
  { name: "a length that is too short", sent: `${OK}content-length: 2\r\n\r\nhello`, body: "he", surplus: 3 },
  {
    name: "another reply behind it",
    sent: `${OK}content-length: 2\r\n\r\nhi${OK}\r\n`,
    body: "hi",
    surplus: 19,
  },
  {
    name: "something behind the last chunk",
    sent: `${CHUNKED}2\r\nhi\r\n0\r\n\r\nmore`,
    body: "hi",
    surplus: 4,
  },
  {
    name: "a body for 204",
    sent: "HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\nhi",
    status: 204,
    body: "",
    surplus: 2,
  },
];

const chunkedReplies: ReplyCase[] = [
  { name: "one chunk", sent: `${CHUNKED}5\r\nhello\r\n0\r\n\r\n`, body: "hello" },
  { name: "several", sent: `${CHUNKED}1\r\nh\r\n3\r\nell\r\n1\r\no\r\n0\r\n\r\n`, body: "hello" },
  { name: "no chunk", sent: `${CHUNKED}0\r\n\r\n`, body: "" },
  {
    name: "capitals",
    sent: `${OK}Transfer-Encoding: Chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n`,
    body: "0123456789",
  },
  { name: "leading zeros", sent: `${CHUNKED}0005\r\nhello\r\n0000\r\n\r\n`, body: "hello" },
  {
    name: "extensions",
    sent: `${CHUNKED}5;name=value; other="x;y"\r\nhello\r\n0;last\r\n\r\n`,
    body: "hello",
  },
  { name: "blanks behind sizes", sent: `${CHUNKED}5 \t\r\nhello\r\n0 \r\n\r\n`, body: "hello" },
  { name: "trailers", sent: `${CHUNKED}2\r\nhi\r\n0\r\nx-sum: 1\r\nx-more:\r\n 2\r\n\r\n`, body: "hi" },
  { name: "LF alone", sent: `${CHUNKED}2\nhi\n0\n\n`, body: "hi" },
  {
    name: "what looks like its frame",
    sent: `${CHUNKED}9\r\n\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n`,
    body: "\r\n0\r\n\r\n\r\n",
  },
];

/** Whole replies. Text is Latin-1. */
export const wholeReplies: readonly ReplyCase[] = [...wholeReplyCases, ...connections, ...chunkedReplies];
