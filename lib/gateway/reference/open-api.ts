import type * as z from "zod/mini";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { spendAlertFiredMessage } from "@/lib/contract/operations/spend-alert-firings";
import { describeBodyBounds } from "./describe-body-bounds";
import { describeNeeds } from "./describe-needs";
import { schemaOf } from "./schema-of";

/** OpenAPI 3.1 of every operation, made from the operation table. */
export function openApiDocument(baseUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operationTable) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse",
      version: "1",
      description: "One base address for many models, and its administration.",
    },
    servers: [{ url: baseUrl }],
    paths,
    // OpenAPI's word for what is sent rather than asked for.
    webhooks: { "spend_alert.fired": { post: describeMessage(spendAlertFiredMessage) } },
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  };
}

function describe(operation: Operation) {
  const { permission } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describeNeeds(operation),
    "x-permission": typeof permission === "string" ? permission : null,
    security: typeof permission === "object" && permission.open === "to everyone" ? [] : [{ key: [] }],
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...(operation.body && {
      requestBody: {
        required: true,
        description: describeBodyBounds(operation.bodyBounds),
        content: json(operation.body, "input"),
      },
    }),
    responses: {
      200: { description: "Done.", content: json(operation.reply, "output") },
      default: { description: "Refused; see `error.message`, `error.code` and `error.param`." },
    },
  };
}

function describeMessage(message: z.ZodMiniType) {
  return {
    summary: "Tells of a spend alert that fired, signed as Standard Webhooks say.",
    requestBody: { required: true, content: json(message, "output") },
    responses: { "2XX": { description: "Taken; anything else is sent again." } },
  };
}

function pathParameters(operation: Operation) {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(operation: Operation) {
  if (!operation.query) return [];
  const { properties = {}, required = [] } = schemaOf(operation.query, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function json(schema: z.ZodMiniType, io: "input" | "output") {
  return { "application/json": { schema: schemaOf(schema, io) } };
}
