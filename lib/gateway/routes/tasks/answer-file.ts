import type { StoredFile } from "../../files/file-storage";
import { readByteRange } from "../../http/byte-range";
import type { Exchange } from "../../http/exchange";
import { passOn } from "../../http/pass-on";

interface FileReply {
  readonly file: StoredFile;
  readonly headers: Readonly<Record<string, string>>;
  /** @throws Refusal once the caller may no longer read the file. */
  refuseLostAccess(): void;
}

/** Answers with a stored file, or with the part of it that the header Range asks for. */
export function answerFile(
  { request, requestId }: Exchange,
  { file, headers: more, refuseLostAccess }: FileReply,
): Response {
  const headers = { "x-request-id": requestId, "accept-ranges": "bytes", ...more };
  const range = readByteRange(request.headers.get("range"), file.bytes);
  if (range === "unsatisfiable") {
    return new Response(null, {
      status: 416,
      headers: { ...headers, "content-range": `bytes */${file.bytes}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: file.bytes };
  const length = { "content-length": String(end - start) };
  const part = range && { "content-range": `bytes ${start}-${end - 1}/${file.bytes}` };
  const body = passOn(file.read(start, end), refuseLostAccess);
  return new Response(body, {
    status: range ? 206 : 200,
    headers: { ...headers, ...length, ...part },
  });
}
