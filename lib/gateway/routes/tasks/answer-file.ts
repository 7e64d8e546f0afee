import { readByteRange } from "../../http/byte-range";
import type { Exchange } from "../../http/exchange";
import type { StoredFile } from "../../tasks/output-files";

/** Answers with a stored file, or with the part of it that the header Range asks for. */
export function answerFile(
  { request, requestId }: Exchange,
  file: StoredFile,
  more: Readonly<Record<string, string>>,
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
  return new Response(file.read(start, end), {
    status: range ? 206 : 200,
    headers: { ...headers, ...length, ...part },
  });
}
