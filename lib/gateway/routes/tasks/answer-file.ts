import type { StoredFile } from "../../files/file-storage";
import { passOn, respondWith, StreamedResponse, WRITTEN_BYTES } from "../../http/response";
import type { RequestContext } from "../../http/server";

interface FileReply {
  readonly file: StoredFile;
  readonly headers: Readonly<Record<string, string>>;
  /** @throws Refusal once the caller may no longer read the file. */
  refuseLostAccess(): void;
}

interface FileContext {
  logFault(requestId: string, error: unknown): void;
}

/** Answers with a stored file, or with the part of it that the header Range asks for. */
export async function answerFile(
  { logFault }: FileContext,
  { request, requestId }: RequestContext,
  { file, headers: more, refuseLostAccess }: FileReply,
): Promise<Response> {
  const headers = { "x-request-id": requestId, "accept-ranges": "bytes", ...more };
  const range = readByteRange(request.headers.get("range"), file.bytes);
  if (range === "unsatisfiable") {
    return new Response(null, {
      status: 416,
      headers: { ...headers, "content-range": `bytes */${file.bytes}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: file.bytes };
  const part = range && { "content-range": `bytes ${start}-${end - 1}/${file.bytes}` };
  const options = { status: range ? 206 : 200, headers: { ...headers, ...part } };
  const bytes = file.read(start, end);
  if (end - start <= WRITTEN_BYTES) return respondWith([await new Response(bytes).bytes()], options);
  return new StreamedResponse(
    passOn(bytes, refuseLostAccess, (error) => logFault(requestId, error)),
    options,
  );
}

/** Bytes from `start` up to, but not including, `end`. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The part of a file that the header `Range` asks for (RFC 9110, section 14). Null for the whole file: without the
 * header, for several ranges, and for an invalid one. "unsatisfiable" if the range begins after the end.
 */
export function readByteRange(header: string | null, bytes: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = RANGE.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const suffix = Number(last);
    return suffix === 0 || bytes === 0 ? "unsatisfiable" : { start: Math.max(0, bytes - suffix), end: bytes };
  }
  const start = Number(first);
  const end = last === "" ? bytes : Math.min(Number(last) + 1, bytes);
  if (last !== "" && Number(last) < start) return null;
  return start >= bytes ? "unsatisfiable" : { start, end };
}
