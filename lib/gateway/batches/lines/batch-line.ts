import * as z from "zod/mini";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { Operation } from "@/lib/contract/operation";
import { completionOperations } from "@/lib/contract/operations/calls/completions";
import { embeddingOperations } from "@/lib/contract/operations/calls/embeddings";
import { responseOperations } from "@/lib/contract/operations/calls/responses";
import { type BatchEndpoint, MAX_LINE_BYTES } from "@/lib/contract/operations/tasks/batches";
import { authorize } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { BodyKind } from "../../calls/requests/request-reader";
import { scanObject } from "../../http/json";
import { invalid, type Refusal, unauthenticated } from "../../refusal";

/** One call of a batch. */
export interface BatchLine {
  readonly customId: string;
  /** The request's JSON, as it stands in the file: a number beyond 2^53 keeps its digits. */
  readonly body: string;
}

const MAX_ID_LENGTH = 512;

const lineForm = z.object({
  custom_id: z.string().check(z.minLength(1), z.maxLength(MAX_ID_LENGTH)),
  method: z.literal("POST"),
  url: z.string(),
  body: z.looseObject({ stream: z.optional(z.nullable(z.literal(false))) }),
});

/** @throws Refusal 400 that names the line. */
export function readBatchLine({ number, bytes }: FileLine, endpoint: BatchEndpoint): BatchLine {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw wrongLine(number, "it is not one JSON object in UTF-8");
  }
  const result = lineForm.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path.join(".") || "it";
    throw wrongLine(
      number,
      field === "body.stream" ? "body.stream can't be true" : `${field} ${wants(field)}`,
    );
  }
  const { custom_id: customId, url } = result.data;
  if (url !== endpoint) throw wrongLine(number, `url must be the batch's endpoint, ${endpoint}`);
  const { members, duplicate } = scanObject(text);
  if (duplicate !== null) throw wrongLine(number, `"${duplicate}" appears twice in it; send it once`);
  // A member that appears twice within the body is refused when the body is read, as in a call from the network.
  const { valueStart, end } = members.get("body") ?? { valueStart: 0, end: 0 };
  return { customId, body: text.slice(valueStart, end) };
}

const requirements: Readonly<Record<string, string>> = {
  custom_id: `must be a text of 1 to ${MAX_ID_LENGTH} characters`,
  method: 'must be "POST"',
  url: "must be the batch's endpoint",
  body: "must be a request as its endpoint takes it",
};

function wants(field: string): string {
  return requirements[field] ?? "must be an object with custom_id, method, url and body";
}

export function wrongLine(number: number, why: string): Refusal {
  const message = `Line ${number} of the file is wrong: ${why}. Correct it and upload the file again.`;
  return invalid("input_file_id", message, "invalid_batch_line");
}

/** The calls that a batch can make, by its endpoint. */
export const lineKinds = {
  "/v1/chat/completions": { kind: "chat completion", operation: completionOperations.createChatCompletion },
  "/v1/responses": { kind: "response", operation: responseOperations.createResponse },
  "/v1/embeddings": { kind: "embedding", operation: embeddingOperations.createEmbedding },
} as const satisfies Readonly<Record<BatchEndpoint, { kind: BodyKind; operation: Operation }>>;

export type LineKind = (typeof lineKinds)[BatchEndpoint]["kind"];

export interface LineCallerContext {
  /**
   * Returns the caller with a key's or member's id, after a rotation with the new key; null once the key is revoked or
   * the member removed.
   */
  findCaller(keyId: string): Caller | null;
}

/**
 * Returns the present caller of a batch's lines, whose charges stay with the batch's key. @throws Refusal 401 or 403 if
 * it may no longer make them.
 */
export function describeLineCaller(
  { findCaller }: LineCallerContext,
  { keyId, projectId, endpoint }: { keyId: string; projectId: string; endpoint: BatchEndpoint },
): Caller {
  const caller = findCaller(keyId);
  if (!caller) throw unauthenticated();
  authorize(lineKinds[endpoint].operation, caller, {}, projectId);
  return caller.keyId === keyId ? caller : { ...caller, keyId };
}

/** A line of a file, without its line end. */
export interface FileLine {
  /** 1 for the first line. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Where the next line begins. */
  readonly endsAt: number;
}

const NEWLINE = 10;

/**
 * Reads the lines of a file from the byte `at`, where line `number + 1` begins, and skips blank ones.
 * @throws Refusal 400 for a line that is too long.
 */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  { at, number }: { at: number; number: number },
): AsyncGenerator<FileLine> {
  let pendingPieces: Uint8Array[] = [];
  let restBytes = 0;
  let [endsAt, line] = [at, number];
  const take = (last: Uint8Array, withNewline: boolean): FileLine => {
    if (restBytes + last.byteLength > MAX_LINE_BYTES) throw tooLong(line + 1);
    const bytes = pendingPieces.length === 0 ? last : Buffer.concat([...pendingPieces, last]);
    [pendingPieces, restBytes] = [[], 0];
    endsAt += bytes.byteLength + Number(withNewline);
    return { number: ++line, bytes, endsAt };
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      const found = take(piece.subarray(from, end), true);
      from = end + 1;
      if (!isBlank(found.bytes)) yield found;
    }
    const tail = piece.subarray(from);
    restBytes += tail.byteLength;
    if (restBytes > MAX_LINE_BYTES) throw tooLong(line + 1);
    if (tail.byteLength > 0) pendingPieces.push(tail);
  }
  if (restBytes === 0) return;
  const last = take(new Uint8Array(), false);
  if (!isBlank(last.bytes)) yield last;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.byteLength < 100 && Buffer.from(bytes).toString().trim() === "";
}

function tooLong(line: number) {
  const message = `Line ${line} of the file is longer than ${formatBytes(MAX_LINE_BYTES)}. Send it as a call of its own.`;
  return invalid("input_file_id", message, "invalid_batch_line");
}
