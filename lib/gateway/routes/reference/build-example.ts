import * as z from "zod/mini";
import type { Operation } from "@/lib/contract/operation";
import { type JsonSchema, toJsonSchema } from "./to-json-schema";

const samples: Readonly<Record<string, unknown>> = {
  above: "1000.00",
  amount: "25.00",
  base_url: "https://api.example.com/v1",
  code: "123456",
  content: "Hello",
  currency: "USD",
  email: "ada@example.com",
  exchange_rate: "0.9",
  id: "example-1",
  month: "2026-10",
  input_per_1m: "0.25",
  key: "gk_admin_…",
  max_tokens: 256,
  model: "sandbox-echo",
  model_ids: ["sandbox-echo"],
  name: "Research",
  output_per_1m: "2.00",
  password: "four words of yours",
  permission: "api.models.read",
  permissions: ["api.models.read"],
  rate: "0.2",
  recipients: ["ada@example.com"],
  role: "member",
  role_name: "Support",
  start_time: "1800000000",
  end_time: "1800086400",
  from: "1800000000",
  until: "1800086400",
  threshold_amount: 5000,
  changes: [{ project_id: "proj_123", model: "sandbox-echo", max_requests_per_1_minute: 60 }],
};

/** An example body with the required fields, and with those optional ones that the operation refuses to do without. */
function buildExample(schema: z.ZodMiniType): Record<string, unknown> {
  const shape = toJsonSchema(schema, "input");
  const { properties = {}, required = [] } = (shape.anyOf ?? shape.oneOf)?.[0] ?? shape;
  const example: Record<string, unknown> = {};
  for (const name of [...required, ...Object.keys(properties)]) {
    if (required.every((one) => one in example) && z.safeParse(schema, example).success) break;
    example[name] = buildSample(name, properties[name] ?? {});
  }
  return example;
}

function buildSample(name: string, schema: JsonSchema): unknown {
  const {
    type,
    properties,
    required = [],
    items,
    oneOf,
    anyOf = oneOf,
    enum: words,
    const: constant,
  } = schema;
  if (constant !== undefined) return constant;
  if (name === "role" && words) return words.includes("user") ? "user" : words.at(-1);
  if (type === "object" && !properties) return {};
  if (name === "provider" && properties) return { kind: "openai", base_url: samples.base_url };
  if (name in samples && !properties && !oneOf) return samples[name];
  if (words) return words[0];
  if (anyOf) return buildSample(name, anyOf[0] ?? {});
  if (properties) {
    return Object.fromEntries(required.map((field) => [field, buildSample(field, properties[field] ?? {})]));
  }
  if (type === "array") return [withContent(buildSample(name, items ?? {}), items)];
  if (type === "integer" || type === "number")
    return Math.min(Math.max(schema.minimum ?? 0, 60), schema.maximum ?? 60);
  if (type === "boolean") return true;
  return `${name.replace(/_id$/, "")}_123`;
}

/** Adds content to an example message, which would otherwise be empty. */
function withContent(sample: unknown, items: JsonSchema | undefined): unknown {
  const hasContent = items?.properties?.content !== undefined;
  return hasContent ? { ...(sample as object), content: samples.content } : sample;
}

/** The body of an example call; undefined where the operation takes none. */
export function buildExampleBody({ scope, body }: Operation): Record<string, unknown> | undefined {
  if (!body) return undefined;
  const example = buildExample(body);
  // The organization has no predefined role "member".
  const isOrganizationRole = typeof example.role === "string" && scope === "organization";
  return isOrganizationRole ? { ...example, role: "reader" } : example;
}

/** The query of an example call; empty where no parameter is required. */
export function buildExampleQuery({ query }: Operation): Record<string, unknown> {
  return query ? buildExample(query) : {};
}

/** A POSIX shell command that makes the call with the key in `$GATEHOUSE_KEY`. */
export function buildExampleCurl(operation: Operation, baseUrl: string): string {
  const { method, permission } = operation;
  const body = buildExampleBody(operation);
  const isOpen = typeof permission === "object" && permission.open === "to everyone";
  const query = new URLSearchParams(buildExampleQuery(operation) as Record<string, string>).toString();
  const address = `${baseUrl}${buildExamplePath(operation.path)}${query && `?${query}`}`;
  const isUsual = method === (body ? "POST" : "GET");
  return [
    `curl ${isUsual ? "" : `-X ${method} `}${query ? `"${address}"` : address}`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $GATEHOUSE_KEY"']),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${write(body)}'`] : []),
  ].join(" \\\n  ");
}

/** Fills in example ids: `proj_123` for `{project_id}`. */
function buildExamplePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "project_id") return "proj_123";
    if (name === "model_id") return "sandbox-echo";
    return name === "rate_limit_id" ? "rl_sandbox-echo" : `${name.replace(/_id$/, "")}_123`;
  });
}

function write(body: Record<string, unknown>): string {
  const line = JSON.stringify(body);
  return line.length <= 80 ? line : JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
}
