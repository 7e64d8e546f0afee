import { fileOperations, type StoredFileObject, uploadFields } from "@/lib/contract/operations/tasks/files";
import { type AuthenticationContext, authenticateAgain } from "../../access/authenticate";
import {
  authorizeAgain,
  findChargedProject,
  listVisibleProjects,
  narrowTo,
  refuseContent,
} from "../../access/authorize";
import type { Transaction } from "../../changes/transactions.sql";
import { type ClockAndRandom, toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import type { FileStorage, StoredFile } from "../../files/file-storage";
import type { FileRecord } from "../../files/file-store.sql";
import { deleteFile, type UploadContext, uploadFile } from "../../files/files";
import type { BodyReader } from "../../http/body-reader";
import { type MultipartFields, readMultipart } from "../../http/forms/multipart";
import { parseWith } from "../../http/parse-with";
import {
  noSniffing,
  passOn,
  respondWith,
  respondWithJson,
  StreamedResponse,
  WRITTEN_BYTES,
} from "../../http/response";
import type { RequestContext } from "../../http/server";
import {
  hashBody,
  IDEMPOTENCY_MS,
  type IdempotencyLocks,
  idempotencyConflict,
  refuseMalformedKey,
} from "../../idempotency/idempotency";
import type { IdempotentReplies } from "../../idempotency/idempotent-replies.sql";
import type { ProjectCache } from "../../projects/projects";
import { notFound } from "../../refusal";
import { describeLostReply } from "../create-once";
import type { Handlers, RawHandlers } from "../handler";
import { paginate } from "../paginate";
import { findFile, followContent, listVisibleKeyIds } from "../visible-work";

interface Context extends UploadContext, UploadOnceContext, AuthenticationContext {
  readonly runtime: UploadContext["runtime"];
  readonly projectCache: Pick<ProjectCache, "find">;
  readonly bodyReader: BodyReader;
  /** Stores each file's bytes at position 0. */
  readonly storedFiles: FileStorage;
  logFault(requestId: string, error: unknown): void;
}

export function fileRoutes(context: Context): Handlers<"listFiles" | "retrieveFile" | "deleteFile"> {
  const { files, graph } = context;
  return {
    listFiles: ({ query, caller }) => {
      const { project_id, purpose, ...page } = query;
      const visible = listVisibleProjects(graph, caller, "api.files.read");
      const keyIds = listVisibleKeyIds(context, caller);
      const filter = { projectIds: narrowTo(visible, project_id), keyIds, purpose };
      return paginate(files.pages(filter), page, describeFile);
    },
    retrieveFile: async ({ params, caller }) =>
      describeFile(await findFile(context, params.file_id, caller, "api.files.read")),
    deleteFile: async ({ params, headers, request }) => {
      const { id } = await deleteFile(context, request, () =>
        findFile(context, params.file_id, authenticateAgain(context, headers), "api.files.write"),
      );
      return { id, object: "file" as const, deleted: true as const };
    },
  };
}

/** The operations whose bodies or replies aren't JSON. */
export function fileStreams(context: Context): Pick<RawHandlers, "uploadFile" | "retrieveFileContent"> {
  return {
    async uploadFile(requestContext, caller) {
      const { headers } = requestContext.request;
      const projectId = findChargedProject(context.projectCache, caller, headers);
      const contentLength = headers.get("content-length");
      const announcedBytes = contentLength === null ? null : Number(contentLength);
      const upload = { projectId, keyId: caller.keyId, announcedBytes };
      const receive = (repeats: UploadRepeats<StoredFileObject> | null) =>
        uploadFile(
          context,
          upload,
          async (take) => {
            const pieces = context.bodyReader.stream(
              requestContext,
              fileOperations.uploadFile.bodyBounds.bytes,
            );
            const form = await readMultipart(
              headers.get("content-type"),
              pieces,
              { files: ["file"] },
              (bytes, { filename }) => take(bytes, filename),
            );
            const present = authorizeAgain(context, headers, fileOperations.uploadFile);
            if (present) findChargedProject(context.projectCache, present, headers);
            return parseFields(form);
          },
          repeats && {
            findOriginal: (arrived) => repeats.find(arrived),
            keep: (transaction, arrived, file) => repeats.keep(transaction, arrived, describeFile(file)),
          },
        );
      const { requestId, clientSignal } = requestContext;
      const key = headers.get("idempotency-key");
      const keyed = { callerId: caller.id, projectId, requestId, clientSignal };
      const outcome = await (key === null
        ? receive(null)
        : withUploadKey(context, { key, ...keyed }, receive));
      if ("file" in outcome)
        return respondWithJson(describeFile(outcome.file), { headers: { "x-request-id": requestId } });
      const { reply, originalRequest } = outcome.original;
      return respondWithJson(reply, {
        headers: {
          "x-request-id": requestId,
          "idempotency-replayed": "true",
          "original-request": originalRequest,
        },
      });
    },
    async retrieveFileContent(requestContext, caller, params) {
      const file = await findFile(context, params.file_id ?? "", caller, "api.files.read");
      refuseContent(caller, file);
      const { id, filename } = file;
      const storedFile = await context.storedFiles.open(id, 0);
      if (!storedFile) throw notFound("file", id, "file_id");
      const name = encodeURIComponent(filename);
      const headers = {
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename*=UTF-8''${name}`,
        ...noSniffing,
      };
      const operation = fileOperations.retrieveFileContent;
      const refuseLostAccess = followContent(context, requestContext.request, operation, file);
      return answerFile(context, requestContext, { file: storedFile, headers, refuseLostAccess });
    },
  };
}

/** `expires_after[seconds]` is a field of the object `expires_after`, as OpenAI's clients write one. */
function parseFields(fields: MultipartFields) {
  const all = new Map(fields);
  const { anchor, seconds } = Object.fromEntries(
    ["anchor", "seconds"].map((name) => [name, all.get(`expires_after[${name}]`)]),
  );
  const otherFields = [...all].filter(([name]) => !name.startsWith("expires_after["));
  const expires = anchor === undefined && seconds === undefined ? {} : { anchor, seconds: Number(seconds) };
  return parseWith(uploadFields, {
    ...Object.fromEntries(otherFields),
    ...(Object.keys(expires).length > 0 && { expires_after: expires }),
  });
}

function describeFile(file: FileRecord): StoredFileObject {
  const { id, projectId, purpose, filename, bytes, createdAtMs, expiresAtMs } = file;
  return {
    id,
    object: "file",
    bytes,
    created_at: toUnixSeconds(createdAtMs),
    expires_at: toNullableUnixSeconds(expiresAtMs),
    filename,
    purpose,
    status: "processed",
    project_id: projectId,
  };
}

interface UploadOnceContext {
  readonly idempotentReplies: IdempotentReplies;
  readonly idempotencyLocks: IdempotencyLocks;
  readonly runtime: Pick<ClockAndRandom, "clock">;
}

/** One upload with an idempotency key. */
interface KeyedUpload {
  readonly key: string;
  readonly callerId: string;
  readonly projectId: string;
  readonly requestId: string;
  readonly clientSignal: AbortSignal;
}

/** Repeats of an upload, found once its file has arrived: a repeat must match the file, too. */
interface UploadRepeats<Reply> {
  /** The first upload with this key; null if there is none. @throws Refusal 409 if that was another one. */
  find(fingerprint: unknown): Promise<{ readonly reply: Reply; readonly originalRequest: string } | null>;
  /** Stores the reply for repeats, in the transaction that makes the file visible. */
  keep(transaction: Transaction, fingerprint: unknown, reply: Reply): Promise<void>;
}

/** Runs uploads with the same key one after another. @throws Refusal 400 for a malformed key; 409 as `take` does. */
async function withUploadKey<Reply, Result>(
  { idempotentReplies, idempotencyLocks, runtime }: UploadOnceContext,
  { key, callerId, projectId, requestId, clientSignal }: KeyedUpload,
  upload: (repeats: UploadRepeats<Reply>) => Promise<Result>,
): Promise<Result> {
  refuseMalformedKey(key);
  const scoped = { scope: callerId, key };
  const identify = (fingerprint: unknown) => ({
    ...scoped,
    bodyHash: hashBody(JSON.stringify(["uploadFile", projectId, fingerprint])),
  });
  const lock = await idempotencyLocks.acquire(identify(null), clientSignal);
  try {
    return await upload({
      async find(fingerprint) {
        const idempotency = identify(fingerprint);
        const stored = await idempotentReplies.find(idempotency, runtime.clock.nowMs() - IDEMPOTENCY_MS);
        if (!stored) return null;
        if (stored.bodyHash !== idempotency.bodyHash || stored.requestId === null)
          throw idempotencyConflict();
        if (stored.reply === null) throw describeLostReply(stored.requestId);
        return { reply: JSON.parse(stored.reply) as Reply, originalRequest: stored.requestId };
      },
      async keep(transaction, fingerprint, reply) {
        const idempotency = identify(fingerprint);
        await idempotentReplies.start(transaction, idempotency, { requestId, atMs: runtime.clock.nowMs() });
        await idempotentReplies.finish(transaction, idempotency, JSON.stringify(reply));
      },
    });
  } finally {
    lock.release();
  }
}

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
