import type * as z from "zod/mini";
import { permissionCatalogue } from "@/lib/contract/access/permissions";
import { describeLimit, rateLimitHeaderFields } from "@/lib/contract/calls/rate-limit-table";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { BodyBounds, Operation, OperationScope } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { spendAlertFiredMessage } from "@/lib/contract/operations/money/spend-alert-firings";
import { findMediaType } from "@/lib/contract/raw-reply";
import { findVersionedFields } from "@/lib/contract/version";
import { describeErrorComponents, isModelCall, listErrorStatuses } from "./describe-errors";
import { type JsonSchema, toJsonSchema } from "./to-json-schema";

const text: JsonSchema = { type: "string" };
/** Query parameters that are numbers. */
const WHOLE_NUMBERS: readonly string[] = ["limit", "start_time", "end_time"];

const headers = {
  "x-request-id": { description: "Names the request, in the logs too.", schema: text },
  ETag: { description: "The object's version, for `If-Match`.", schema: text },
  "retry-after": { description: "Seconds until a retry succeeds, if nobody else comes.", schema: text },
  ...Object.fromEntries(
    Object.entries(rateLimitHeaderFields).flatMap(([unit, field]) => [
      [`x-ratelimit-limit-${unit}`, { description: `The most ${describeLimit(field)}.`, schema: text }],
      [`x-ratelimit-remaining-${unit}`, { description: `What is left of the ${unit}.`, schema: text }],
      [
        `x-ratelimit-reset-${unit}`,
        { description: "Until all is free again, such as `6m0s`.", schema: text },
      ],
    ]),
  ),
};

/** The OpenAPI 3.1 document, generated from the operation table. */
export function openApiDocument(baseUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Schemas = {};
  for (const operation of operationTable) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, schemas),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      version: "1",
      license: { name: "MIT", identifier: "MIT" },
      description: "One base address for many models, and its administration.",
    },
    servers: [{ url: baseUrl }],
    paths,
    // "webhooks" is OpenAPI's own key for messages that the server sends.
    webhooks: { "spend_alert.fired": { post: describeMessage(spendAlertFiredMessage) } },
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer" },
        // Anthropic's clients send this header.
        "x-api-key": { type: "apiKey", in: "header", name: "x-api-key" },
        // Azure's clients send this one.
        "api-key": { type: "apiKey", in: "header", name: "api-key" },
      },
      headers,
      responses: describeErrorComponents(operationTable),
      schemas,
    },
  };
}

function describe(operation: Operation, schemas: Schemas) {
  const { permission } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describeRequirements(operation),
    "x-permission": typeof permission === "string" ? permission : null,
    security:
      typeof permission === "object" && permission.open === "to everyone"
        ? []
        : [{ key: [] }, { "x-api-key": [] }, { "api-key": [] }],
    parameters: [
      ...describePathParameters(operation),
      ...queryParameters(operation),
      ...describeHeaderParameters(operation),
    ],
    ...(operation.body && {
      requestBody: {
        required: true,
        description: describeBodyBounds(operation.bodyBounds),
        content: json(nameSchema(operation, "Request", "input", schemas)),
      },
    }),
    responses: {
      200: {
        description: "Done.",
        headers: replyHeaders(operation),
        content: describeReply(operation, schemas),
      },
      ...Object.fromEntries(
        listErrorStatuses(operation).map((status) => [
          status,
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
    },
  };
}

function describeReply(operation: Operation, schemas: Schemas) {
  const mediaType = findMediaType(operation.reply);
  if (mediaType !== null) return { [mediaType]: {} };
  return {
    ...json(nameSchema(operation, "Reply", "output", schemas)),
    ...(streamedReplies.includes(operation.id) && { "text/event-stream": { schema: text } }),
  };
}

/** The operations whose reply is a stream of events if the request asks for one. */
const streamedReplies: readonly string[] = [
  "createChatCompletion",
  "createMessage",
  "createResponse",
  "createTranscription",
];

/** The schema of an operation's body or reply, under the object's name or, without one, under its own. */
function nameSchema(
  operation: Operation,
  part: "Request" | "Reply",
  io: "input" | "output",
  schemas: Schemas,
) {
  const schema = part === "Request" ? operation.body : operation.reply;
  const hoisted = hoistSchemas(toJsonSchema(schema as z.ZodMiniType, io), schemas);
  const name = `${operation.id.slice(0, 1).toUpperCase()}${operation.id.slice(1)}${part}`;
  return hoisted.$ref ? hoisted : hoistAs(name, hoisted, schemas);
}

function replyHeaders(operation: Operation) {
  const isVersioned = operation.method !== "DELETE" && findVersionedFields(operation.reply) !== null;
  const names = [
    "x-request-id",
    ...(isVersioned ? ["ETag"] : []),
    ...(isModelCall(operation) ? Object.keys(headers).filter((name) => name.startsWith("x-ratelimit-")) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The header parameters that follow from an operation's effect and scope. */
function describeHeaderParameters({ effect, scope }: Operation) {
  const createsOnce = effect === "creates" || effect === "pays";
  const isEdit = effect === "edits" || effect === "sets" || effect === "deletes";
  const names = [
    ...(createsOnce ? ["Idempotency-Key"] : []),
    ...(isEdit ? ["If-Match"] : []),
    ...(effect === "sets" ? ["If-None-Match"] : []),
    ...(scope === "named project" ? ["OpenAI-Project"] : []),
  ];
  return names.map((name) => ({ name, in: "header", required: false, schema: text }));
}

function describeMessage(message: z.ZodMiniType) {
  return {
    operationId: "spendAlertFired",
    summary: "Tells of a spend alert that fired, signed as Standard Webhooks say.",
    security: [],
    requestBody: { required: true, content: json(toJsonSchema(message, "output")) },
    responses: { "2XX": { description: "Taken; anything else is sent again." } },
  };
}

function describePathParameters(operation: Operation) {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(operation: Operation) {
  if (!operation.query) return [];
  const { properties = {}, required = [] } = toJsonSchema(operation.query, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: WHOLE_NUMBERS.includes(name) ? { type: "integer", minimum: name === "limit" ? 1 : 0 } : schema,
  }));
}

function json(schema: JsonSchema) {
  return { "application/json": { schema } };
}

type Schemas = Record<string, JsonSchema>;

/**
 * Moves every object with a constant `object` field (`object: "organization.project"`) into `schemas`, and leaves a
 * reference.
 */
function hoistSchemas(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const inner = {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, field]) => [name, hoistSchemas(field, schemas)]),
      ),
    }),
    ...(schema.items && { items: hoistSchemas(schema.items, schemas) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((form) => hoistSchemas(form, schemas)) }),
  };
  const noun = schema.properties?.object?.const;
  if (typeof noun !== "string" || noun === "list" || noun === "page") return inner;
  const usual = noun.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  return hoistAs(usual, inner, schemas);
}

/** Adds a schema under its name, with a number appended where another schema has that name. */
function hoistAs(usual: string, schema: JsonSchema, schemas: Schemas): JsonSchema {
  const written = JSON.stringify(schema);
  let name = usual;
  for (let count = 2; schemas[name] && JSON.stringify(schemas[name]) !== written; count++)
    name = `${usual}${count}`;
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

const places: Readonly<Record<OperationScope, string>> = {
  organization: "the organization",
  project: "the organization or the project",
  "named project": "the organization or the project",
  "any project": "any project",
  own: "no place",
};

/** The required permission and where it must be held, in words, and the limited keys that may call the operation. */
export function describeRequirements(operation: Operation): string {
  return describePermission(operation) + describeLimitedKeys(operation);
}

function describeLimitedKeys({ limitedKeys }: Operation): string {
  if (limitedKeys === undefined) return "";
  if (limitedKeys === "all") return " Every limited key may call it.";
  return ` Keys that are limited to ${limitedKeys.map((name) => `\`${name}\``).join(", ")} may call it.`;
}

function describePermission({ permission, sessionPermission, scope }: Operation): string {
  if (typeof permission === "object") return `Open ${permission.open}. ${permission.because}`;
  const needs = `Needs \`${permission}\` in ${places[scope]}: ${permissionCatalogue[permission]}`;
  return sessionPermission ? `${needs} A session needs \`${sessionPermission}\` instead.` : needs;
}

/** The maximum size of a request's body, in words. */
export function describeBodyBounds({ bytes, entries }: BodyBounds): string {
  return `At most ${formatBytes(bytes)} and ${entries.toLocaleString("en")} entries: commas and opening brackets outside of strings.`;
}
