import { readPointer } from "@/lib/contract/calls/json-pointer";
import type { TaskApi } from "@/lib/contract/calls/task-api";
import { describeProviderError } from "../describe-provider-error";
import { type MediaOrder, type RemoteFile, type RemoteState, UnusableOutput } from "../media-client";
import type { ProviderServer } from "../provider-kind";
import { isPath } from "./task-requests";

/** A task's state, before its outputs are read. */
type UnreadState = Exclude<RemoteState, { kind: "succeeded" }> | { readonly kind: "succeeded" };
type Server = Pick<ProviderServer, "apiKey">;
type Poll = NonNullable<TaskApi["poll"]>;

const REMOTE_ID = /^[^\p{C}\p{Z}]{1,200}$/u;
const MAX_STATUS_LENGTH = 40;

/** The task's id in the reply to its order. @throws Error if it has none that can stand in the mapping's paths. */
export function readRemoteId(reply: unknown, taskApi: TaskApi): string {
  const { submit, poll, outputs, cancel } = taskApi;
  const pointer = submit.id ?? "";
  const value = readPointer(reply, pointer);
  const paths = [poll?.path, outputs.path, outputs.result_path, cancel?.path];
  const keepsSlashes = paths.some((path) => path?.includes("{+id}"));
  const id = Number.isSafeInteger(value) ? String(value) : value;
  // Some servers resolve such segments, although they are encoded.
  if (typeof id === "string" && REMOTE_ID.test(id) && !/^\.+$/.test(id) && !(keepsSlashes && !isPath(id)))
    return id;
  throw new Error(`The provider's reply has no id at ${pointer}`);
}

/** @throws Error for a status that the mapping doesn't name. */
export function readRemoteState(
  reply: unknown,
  taskApi: TaskApi & { readonly poll: Poll },
  server: Server,
): UnreadState {
  const { status: pointer, statuses, progress } = taskApi.poll;
  const status = readPointer(reply, pointer);
  if (!["string", "number", "boolean"].includes(typeof status))
    throw new Error(`The provider's reply has no status at ${pointer}`);
  const is = (values: readonly (string | number | boolean)[] = []) =>
    values.some((value) => String(value) === String(status));
  if (is(statuses.succeeded)) return { kind: "succeeded" };
  if (is(statuses.canceled)) return { kind: "canceled" };
  if (is(statuses.failed)) return { kind: "failed", ...readErrorWords(reply, taskApi, server) };
  if (is(statuses.queued)) return { kind: "running", progress: null };
  if (is(statuses.running))
    return { kind: "running", progress: progress ? readProgress(reply, progress) : null };
  throw new Error(
    `The provider reports the status "${String(status).slice(0, MAX_STATUS_LENGTH)}", which poll.statuses does not name`,
  );
}

/** Reads percent from a number or a text such as "40%"; null for anything else. */
function readProgress(
  reply: unknown,
  { pointer, maximum = 100 }: NonNullable<Poll["progress"]>,
): number | null {
  const value = readPointer(reply, pointer);
  const number =
    typeof value === "string" && /^\d{1,3}(\.\d{1,9})?\s*%?$/.test(value) ? Number.parseFloat(value) : value;
  if (typeof number !== "number" || !(number >= 0 && number <= maximum)) return null;
  return Math.floor((100 * number) / maximum);
}

/** The code and message of a failure, without the provider's key. */
export function readErrorWords(
  reply: unknown,
  { error }: TaskApi,
  server: Server,
): { code: string; message: string } {
  const firstTextAt = (pointers: string | readonly string[] | undefined) =>
    [pointers ?? []]
      .flat()
      .map((pointer) => readPointer(reply, pointer))
      .find((value) => typeof value === "string" && value !== "");
  return describeProviderError(
    { message: firstTextAt(error?.message), code: firstTextAt(error?.code) },
    server,
  );
}

/**
 * The outputs that a document names, as many as were ordered: their addresses or contents.
 * @throws UnusableOutput if there are fewer.
 */
export function readOutputs(
  document: unknown,
  { outputs }: TaskApi,
  { count }: Pick<MediaOrder, "count">,
): RemoteFile[] {
  const { list, url, base64 } = outputs;
  const pointer = url ?? base64 ?? "";
  const entries = list === undefined ? [document] : readPointer(document, list);
  if (!Array.isArray(entries)) throw new UnusableOutput(`The provider's reply has no list at ${list}.`);
  if (entries.length < count)
    throw new UnusableOutput(`The provider made ${entries.length} files instead of ${count}.`);
  return entries.slice(0, count).map((entry: unknown, position) => {
    const source = readPointer(entry, pointer);
    if (typeof source === "string" && source !== "") return { position, source };
    const pointerPath = list === undefined ? pointer : `${list}/${position}${pointer}`;
    throw new UnusableOutput(
      `The provider's reply has no ${url === undefined ? "content" : "address"} at ${pointerPath}.`,
    );
  });
}

/** The bytes of a file in base64, also of a `data:` URL. @throws UnusableOutput */
export function decodeOutput(source: string): Buffer {
  const text = source.replace(/^data:[\w.+-]+\/[\w.+-]+;base64,/, "");
  if (!/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text))
    throw new UnusableOutput("The provider sent a file that is not in base64.");
  return Buffer.from(text, "base64");
}
