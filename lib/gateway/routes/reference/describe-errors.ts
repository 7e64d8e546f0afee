import { type ErrorStatus, type ErrorType, errorStatuses, listErrorCodes } from "@/lib/contract/errors";
import type { Operation } from "@/lib/contract/operation";
import type { JsonSchema } from "./to-json-schema";

const meanings: Readonly<Record<ErrorStatus, string>> = {
  400: "A field is missing or malformed; `param` names it.",
  401: "The key is absent, malformed, unknown, revoked or expired.",
  402: "The balance, or a month's spend limit, is too low.",
  403: "A permission is missing; `permission` names it.",
  404: "There is no such object.",
  405: "The path does not answer this method.",
  408: "The body did not come in time.",
  409: "The change collides with what is there.",
  412: "The object is not the version that `If-Match` names, or exists in spite of `If-None-Match: *`; `current` is what it is now.",
  413: "The body is too large.",
  415: "The body is compressed, and bodies are read as they are sent.",
  429: "A limit is reached; `retry-after` says when to try again, `x-should-retry: false` that it is no use.",
  500: "Something failed on the gateway's side.",
  502: "The model's provider failed, or refuses the gateway (`provider_misconfigured`).",
  503: "The gateway can't answer now: its store, or a model's provider (`circuit_open`, `provider_saturated`), is away, or too much is under way at once. `retry-after` says when to try again.",
  504: "The model's provider was too slow.",
};

/** The error statuses of an operation. */
export function listErrorStatuses(operation: Operation): ErrorStatus[] {
  const { id, permission, path, body, query, effect, method } = operation;
  const isOpen = typeof permission === "object" && permission.open === "to everyone";
  const isCall = isModelCall(operation);
  const isVersioned = effect === "edits" || effect === "sets" || effect === "deletes";
  const statuses: [ErrorStatus, boolean][] = [
    [400, body !== undefined || query !== undefined || path.includes("{")],
    [401, true],
    [402, isCall],
    [403, !isOpen],
    [404, path.includes("{") || body !== undefined],
    [408, body !== undefined],
    [409, method !== "GET"],
    [412, isVersioned],
    [413, body !== undefined],
    // The prompts of a batch count in a limit of the day.
    [429, isCall || isOpen || id === "createBatch"],
    [500, true],
    [502, isCall],
    [503, true],
    [504, isCall],
  ];
  return statuses.flatMap(([status, applies]) => (applies ? [status] : []));
}

/** The error responses by status, each with the types of its errors. */
export function describeErrorComponents(operations: readonly Operation[]) {
  const statuses = [...new Set(operations.flatMap(listErrorStatuses))].toSorted();
  return Object.fromEntries(
    statuses.map((status) => [
      `Error${status}`,
      {
        description: meanings[status],
        headers: Object.fromEntries(
          ["x-request-id", ...(status === 429 || status === 503 ? ["retry-after"] : [])].map((name) => [
            name,
            { $ref: `#/components/headers/${name}` },
          ]),
        ),
        content: { "application/json": { schema: buildErrorSchema(status) } },
      },
    ]),
  );
}

function buildErrorSchema(status: ErrorStatus): JsonSchema {
  const types = (Object.keys(errorStatuses) as ErrorType[]).filter((type) =>
    errorStatuses[type].some((known) => known === status),
  );
  const text: JsonSchema = { type: "string" };
  const figures: JsonSchema = { type: "object", additionalProperties: true };
  const error: JsonSchema = {
    type: "object",
    required: ["message", "type", "code", "param"],
    properties: {
      message: { ...text, description: "What is wrong and what to do, for people." },
      type: { ...text, enum: types },
      code: { ...text, enum: listErrorCodes(status), description: "What a program may branch on." },
      param: { type: ["string", "null"], description: "The field that is wrong." },
      request_id: text,
      url: { ...text, description: "Of a refused or failed call: where the console shows its receipt." },
      ...(status === 429 && { limit: figures }),
      ...(status === 402 && { balance: figures, spend_limit: figures }),
      ...(status === 403 && { permission: text }),
      ...((status === 400 || status === 429 || status === 502) && { provider_code: text }),
      ...(status === 412 && { current: {} }),
    },
  };
  return { type: "object", required: ["error"], properties: { error } };
}

/** Whether an operation calls a model: limits and the balance can refuse it, and its provider can fail. */
export function isModelCall({ effect, permission }: Pick<Operation, "effect" | "permission">): boolean {
  return effect === "pays" && permission === "api.completions.write";
}
