import * as z from "zod/mini";
import { mediaFamilies } from "./model-families";
import { findPlaceholders, isJsonPointer, SPREAD } from "./task-template";

/**
 * The placeholders of an order, each with its value's type in JSON. `{parameters.seed}` is a further field of the call.
 */
const orderValues = ["model", "prompt", "count", "size", "width", "height", "seconds", "quality", "task_id"];
const PARAMETERS = "parameters";

/** The interval between two polls of a task, unless the mapping sets one. */
export const DEFAULT_POLL_SECONDS = 2;

const pointer = z
  .string()
  .check(z.refine(isJsonPointer, { message: "must be a JSON pointer such as /data/0/url" }));
const pointers = z.union(
  [pointer, z.array(pointer).check(z.minLength(1), z.maxLength(10))],
  "must be a JSON pointer such as /error/message, or a list of them",
);

const headerName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of a header"));
const ownHeaders = ["host", "content-length", "content-type", "transfer-encoding", "connection"];
const headerValue = z
  .string()
  .check(z.minLength(1), z.regex(/^[ -~]*$/, "must be printable ASCII characters on one line"));
const headers = z.record(headerName, headerValue).check(({ value, issues }) => {
  for (const name of Object.keys(value)) {
    if (!ownHeaders.includes(name.toLowerCase())) continue;
    issues.push({
      code: "custom",
      input: value,
      path: [name],
      message: "is set by the gateway: leave it out",
    });
  }
});

/** @param names the placeholders that the path may have. */
function pathSchema(...names: readonly string[]) {
  return z.string().check(
    z.regex(/^\/[!-~]*$/, "must begin with / and have no spaces"),
    z.maxLength(1_000),
    z.refine((path) => !/#|(^|\/)\.{1,2}(\/|\?|$)/.test(path), {
      message: "must have no # and no segments . or ..",
    }),
    z.refine((path) => unknownIn(path, names) === null, {
      error: ({ input }) => unknownIn(input, names) ?? "",
    }),
  );
}

/** What is wrong with the placeholders of a text or template; null for nothing. */
function unknownIn(template: unknown, names: readonly string[]): string | null {
  const isKnown = (name: string) =>
    names.includes(name) || (names.includes(PARAMETERS) && name.startsWith(`${PARAMETERS}.`));
  const unknown = [...findPlaceholders(template)].find((name) => !isKnown(name));
  if (unknown === undefined) return null;
  return `names {${unknown}}, which has no value here: use ${names.map((name) => `{${name}}`).join(", ")}`;
}

const MAX_DEPTH = 32;

/** Any JSON value, with placeholders in its texts. */
const bodyTemplate = z.unknown().check(({ value, issues }) => {
  const fault = (path: PropertyKey[], message: string) =>
    issues.push({ code: "custom", input: value, path, message });
  const walk = (part: unknown, path: PropertyKey[]): void => {
    if (path.length > MAX_DEPTH) return void fault(path, `is nested deeper than ${MAX_DEPTH}`);
    if (typeof part === "string") {
      const unknown = unknownIn(part, [...orderValues, PARAMETERS]);
      if (unknown) fault(path, unknown);
      return;
    }
    if (typeof part === "number" && !Number.isFinite(part))
      return void fault(path, "must be a finite number");
    if (typeof part !== "object" || part === null) return;
    for (const [name, entry] of Object.entries(part)) {
      const isSpread = name === SPREAD && !Array.isArray(part);
      if (isSpread && entry !== `{${PARAMETERS}}`) fault([...path, name], `must be "{${PARAMETERS}}"`);
      else walk(entry, [...path, Array.isArray(part) ? Number(name) : name]);
    }
  };
  if (typeof value !== "object" || value === null || Array.isArray(value)) fault([], "must be an object");
  else walk(value, []);
});

const statusValues = z.optional(
  z.array(z.union([z.string(), z.number(), z.boolean()], "must be a text, a number, true or false")),
);
/** `{id}` is one segment of the path; `{+id}` keeps the slashes of the id (RFC 6570, section 3.2.3). */
const remoteTaskNames = ["id", "+id", "model"] as const;

const outputs = z.strictObject({
  /** A further document that has the outputs; otherwise the poll's reply has them. */
  result_path: z.optional(pathSchema(...remoteTaskNames)),
  /** The list of the outputs. The pointers below then begin at each of its entries. */
  list: z.optional(pointer),
  url: z.optional(pointer),
  base64: z.optional(pointer),
  /** The bytes are at this path; `{position}` counts from 0. */
  path: z.optional(pathSchema(...remoteTaskNames, "position")),
  /** Hosts at private addresses that files may be fetched from. */
  private_hosts: z.optional(
    z.array(z.string().check(z.regex(/^[\w.:-]{1,253}$/, "must be a host without a port"))),
  ),
});

/**
 * The task API of a provider: how orders to make files are sent, polled, fetched and canceled. Pointers are RFC 6901.
 */
export const taskApi = z
  .strictObject({
    makes: z.array(z.enum(mediaFamilies)).check(
      z.minLength(1, "must name at least one of image, video and music"),
      z.refine((names) => new Set(names).size === names.length, { message: "must name each family once" }),
    ),
    /** Sent with each request. */
    headers: z.optional(headers),
    /** How the key is sent; by default as a bearer token. */
    authentication: z.optional(
      z.strictObject({
        header: headerName,
        value: headerValue.check(z.regex(/\{api_key\}/, "must contain {api_key}")),
      }),
    ),
    /** The maximum duration of a request, except for the download of an output. */
    timeout_seconds: z.optional(
      z.number().check(z.gte(1, "must be at least 1"), z.lte(120, "must be at most 120")),
    ),
    submit: z.strictObject({
      method: z.optional(z.enum(["POST", "PUT"])),
      path: pathSchema("model", "task_id"),
      headers: z.optional(headers),
      body: bodyTemplate,
      /** The pointer to the task's id in the reply. */
      id: z.optional(pointer),
      /** A header under whose value the provider makes a task only once. */
      idempotency_header: z.optional(headerName),
    }),
    /** Absent if the reply to the order has the files. */
    poll: z.optional(
      z.strictObject({
        path: pathSchema(...remoteTaskNames),
        status: pointer,
        /** The provider's values for each state. */
        statuses: z.strictObject({
          queued: statusValues,
          running: statusValues,
          succeeded: statusValues,
          failed: statusValues,
          canceled: statusValues,
        }),
        progress: z.optional(
          z.strictObject({ pointer, maximum: z.optional(z.union([z.literal(1), z.literal(100)])) }),
        ),
        interval_seconds: z.optional(
          z.number().check(z.gte(0.2, "must be at least 0.2"), z.lte(600, "must be at most 600")),
        ),
      }),
    ),
    outputs,
    cancel: z.optional(
      z.strictObject({
        method: z.optional(z.enum(["POST", "PUT", "DELETE"])),
        path: pathSchema(...remoteTaskNames),
      }),
    ),
    /**
     * The pointers to the message and code of error replies and failed tasks. The first that leads to a text counts.
     */
    error: z.optional(z.strictObject({ message: z.optional(pointers), code: z.optional(pointers) })),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of contradictionsIn(value)) {
      issues.push({ code: "custom", input: value, path, message });
    }
  });
export type TaskApi = z.output<typeof taskApi>;

interface Contradiction {
  readonly path: PropertyKey[];
  readonly message: string;
}

/** Parts that are valid each by itself, and don't fit together. */
function contradictionsIn(
  api: Pick<TaskApi, "makes" | "submit" | "poll" | "outputs" | "cancel">,
): Contradiction[] {
  const { makes, submit, poll, outputs: files, cancel } = api;
  const faults: Contradiction[] = [];
  const fault = (path: string, message: string) => faults.push({ path: path.split("."), message });
  const sentNames = findPlaceholders(submit.body);
  if (!sentNames.has("prompt")) fault("submit.body", "must contain {prompt}");
  const timedFamily = makes.find((family) => family !== "image");
  if (timedFamily && !sentNames.has("seconds"))
    fault("submit.body", `must contain {seconds}: ${timedFamily} models are charged by the second`);
  const sources = [files.url, files.base64, files.path].filter((source) => source !== undefined);
  if (sources.length !== 1) fault("outputs", "must have exactly one of url, base64 and path");
  if (files.path !== undefined && files.list !== undefined)
    fault("outputs.list", "has no effect with path: leave it out");
  if (files.path !== undefined && files.result_path !== undefined)
    fault("outputs.result_path", "has no effect with path: leave it out");
  if (files.private_hosts && files.url === undefined)
    fault("outputs.private_hosts", "has no effect without url: leave it out");
  const isForMany = files.path === undefined ? files.list : /\{position\}/.exec(files.path)?.[0];
  if (sentNames.has("count") && isForMany === undefined)
    fault("outputs", "must have list, or {position} in path: submit.body orders {count} files");
  if (!poll) return [...faults, ...contradictionsWithoutPoll(api)];
  if (submit.id === undefined) fault("submit.id", "is required: the poll needs the task's id");
  const { succeeded: succeededStatuses = [], failed: failedStatuses = [] } = poll.statuses;
  if (succeededStatuses.length === 0) fault("poll.statuses.succeeded", "must name at least one value");
  if (failedStatuses.length === 0) fault("poll.statuses.failed", "must name at least one value");
  const statusNames = Object.values(poll.statuses).flatMap((values) => (values ?? []).map(String));
  const twice = statusNames.find((value, at) => statusNames.indexOf(value) !== at);
  if (twice !== undefined) fault("poll.statuses", `names ${JSON.stringify(twice)} for two states`);
  for (const [field, path] of [
    ["poll", poll.path],
    ["cancel", cancel?.path],
  ] as const) {
    const names = findPlaceholders(path);
    if (path !== undefined && !names.has("id") && !names.has("+id"))
      fault(`${field}.path`, "must contain {id}");
  }
  return faults;
}

function contradictionsWithoutPoll({
  submit,
  outputs: files,
  cancel,
}: Pick<TaskApi, "submit" | "outputs" | "cancel">) {
  const faults: Contradiction[] = [];
  const needless = { "submit.id": submit.id, "outputs.result_path": files.result_path, cancel };
  for (const [field, value] of Object.entries(needless)) {
    if (value === undefined) continue;
    faults.push({ path: field.split("."), message: "has no effect without poll: add poll, or leave it out" });
  }
  if (files.base64 === undefined) {
    const message = "must be base64 without poll: a file that can't be fetched at once would be lost";
    faults.push({ path: ["outputs"], message });
  }
  return faults;
}
