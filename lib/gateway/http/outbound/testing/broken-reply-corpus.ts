import type { ReplyCase } from "./reply-corpus";

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

/** Replies that are malformed, ambiguous or endless. */
export const brokenReplies: readonly ReplyCase[] = [
  { name: "another protocol", sent: "+OK ready\r\n", fault: "no status line" },
  { name: "another protocol, slowly", sent: "SSH-2.0", fault: "no status line" },
  { name: "HTTP/2", sent: "HTTP/2 200 OK\r\n\r\n", fault: "no status line" },
  { name: "HTTP/1.2", sent: "HTTP/1.2 200 OK\r\n\r\n", fault: "no status line" },
  { name: "a status that is none", sent: "HTTP/1.1 20 OK\r\n\r\n", fault: "no status line" },
  { name: "a status of four digits", sent: "HTTP/1.1 2000 OK\r\n\r\n", fault: "no status line" },
  { name: "an empty line first", sent: `\r\n${OK}\r\n`, fault: "no status line" },
  { name: "a zero byte in its head", sent: `${OK}x: a\0b\r\n\r\n`, fault: "zero byte" },
  { name: "a header without a colon", sent: `${OK}oops\r\n\r\n`, fault: "header line that is none" },
  { name: "a header without a name", sent: `${OK}: x\r\n\r\n`, fault: "header line that is none" },
  {
    name: "a blank before a colon",
    sent: `${OK}content-length : 2\r\n\r\nhi`,
    fault: "header line that is none",
  },
  { name: "a CR within a header", sent: `${OK}x: a\rcontent-length: 2\r\n\r\n`, fault: "carriage return" },
  {
    name: "two lengths",
    sent: `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nhi!`,
    fault: "two lengths",
  },
  {
    name: "a list of two lengths",
    sent: `${OK}content-length: 2, 3\r\n\r\nhi!`,
    fault: "length that is none",
  },
  ...["-1", "+2", "0x2", "2e1", "1.0", "", "9".repeat(16), "2 2"].map((length) => ({
    name: `a length of "${length}"`,
    sent: `${OK}content-length: ${length}\r\n\r\nhi`,
    fault: "length that is none",
  })),
  {
    name: "a length and chunks",
    sent: `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n`,
    fault: "has a length too",
  },
  {
    name: "chunks and a length",
    sent: `${OK}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n`,
    fault: "has a length too",
  },
  ...["gzip, chunked", "chunked, chunked", "identity", "xchunked", "chunked;x", ""].map((coding) => ({
    name: `a transfer coding of "${coding}"`,
    sent: `${OK}transfer-encoding: ${coding}\r\n\r\n`,
    fault: "transfer coding that is not known",
  })),
  {
    name: "chunks twice",
    sent: `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`,
    fault: "not known",
  },
  {
    name: "chunks by HTTP/1.0",
    sent: "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
    fault: "HTTP/1.0",
  },
  {
    name: "a switch of protocols",
    sent: "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n",
    fault: "switch of protocols",
  },
  { name: "a chunk without a size", sent: `${CHUNKED}\r\nhi\r\n`, fault: "make no sense" },
  { name: "a size that is none", sent: `${CHUNKED}2\r\nhi\r\nzz\r\n`, body: "hi", fault: "make no sense" },
  { name: "a negative size", sent: `${CHUNKED}-1\r\n`, fault: "make no sense" },
  { name: "a size with 0x", sent: `${CHUNKED}0x2\r\nhi\r\n`, fault: "make no sense" },
  { name: "a size beyond all numbers", sent: `${CHUNKED}${"f".repeat(17)}\r\n`, fault: "make no sense" },
  { name: "a size of endless zeros", sent: `${CHUNKED}${"0".repeat(5_000)}`, fault: "make no sense" },
  { name: "a CR within a size's line", sent: `${CHUNKED}2\rx\nhi\r\n`, fault: "make no sense" },
  {
    name: "a chunk longer than its size",
    sent: `${CHUNKED}2\r\nhello\r\n0\r\n\r\n`,
    body: "he",
    fault: "longer than it says",
  },
  {
    name: "a chunk that ends with two CRs",
    sent: `${CHUNKED}2\r\nhi\r\r\n`,
    body: "hi",
    fault: "longer than it says",
  },
  { name: "an endless extension", sent: `${CHUNKED}2;${"x".repeat(70_000)}`, fault: "around its chunks" },
  {
    name: "endless trailers",
    sent: `${CHUNKED}0\r\n${"x: y\r\n".repeat(12_000)}`,
    fault: "around its chunks",
  },
  { name: "endless headers", sent: `${OK}${"x: y\r\n".repeat(12_000)}`, fault: "head of more than" },
  { name: "one endless header", sent: `${OK}x: ${"y".repeat(70_000)}`, fault: "head of more than" },
  { name: "endless 100s", sent: "HTTP/1.1 100 Continue\r\n\r\n".repeat(3_000), fault: "head of more than" },
];

/** Connections that are closed too early. */
export const cutReplies: readonly ReplyCase[] = [
  { name: "nothing", sent: "", isClosed: true, fault: "closed" },
  { name: "half a head", sent: "HTTP/1.1 200 O", isClosed: true, fault: "closed" },
  { name: "a 100 alone", sent: "HTTP/1.1 100 Continue\r\n\r\n", isClosed: true, fault: "closed" },
  {
    name: "half a body",
    sent: `${OK}content-length: 5\r\n\r\nhel`,
    isClosed: true,
    body: "hel",
    fault: "closed",
  },
  { name: "half a chunk", sent: `${CHUNKED}5\r\nhel`, isClosed: true, body: "hel", fault: "closed" },
  { name: "no last chunk", sent: `${CHUNKED}5\r\nhello\r\n`, isClosed: true, body: "hello", fault: "closed" },
  {
    name: "half the last chunk",
    sent: `${CHUNKED}5\r\nhello\r\n0\r\n`,
    isClosed: true,
    body: "hello",
    fault: "closed",
  },
];
