import { html } from "hono/html";
import * as z from "zod/mini";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { findMediaType } from "@/lib/contract/raw-reply";
import { groupBy } from "../../lists/group-by";
import { describeBodyBounds, describeRequirements } from "./open-api";
import { frameReference, type Html } from "./reference-frame";
import { type JsonSchema, toJsonSchema } from "./to-json-schema";

/**
 * A page of all operations, each with method, path, permission, description, fields and a command to copy. `baseUrl`
 * ends in `/v1`.
 */
export function renderOperationsPage(baseUrl: string): Promise<string> {
  const groups = groupOperations();
  return frameReference({
    path: "/docs",
    title: "Operations",
    contents: groups,
    main: html`${renderIntroduction(baseUrl)}${groups.map((group) => renderSection(group, baseUrl))}`,
  });
}

function renderIntroduction(baseUrl: string): Html {
  return html`<p>The base address is <code>${baseUrl}</code>. Paths below <code>/organization</code> and <code>/projects</code> are answered without <code>/v1</code> too.
Send the key as <code>Authorization: Bearer …</code>, or as <code>x-api-key</code> or <code>api-key</code>.</p>
<p>A call to a model is made in the key’s own project. A caller of the whole organization, or a person with a session, names the project in the header <code>OpenAI-Project</code>.</p>
<p>What is refused answers <code>{"error": {"message", "type", "code", "param"}}</code>, and every reply carries <code>x-request-id</code>.</p>`;
}

function renderSection({ id, heading, operations }: OperationGroup, baseUrl: string): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading" data-group>
<h2 id="${id}-heading">${heading}</h2>
${operations.map((operation) => renderEntry(operation, baseUrl))}
</section>`;
}

function renderEntry(operation: Operation, baseUrl: string): Html {
  const { id, method, path, permission, summary, body, bodyBounds, query, reply } = operation;
  const named = typeof permission === "string" ? permission : permission.open;
  const parameters = query ? listFields(toJsonSchema(query, "input")) : [];
  return html`<details id="${id}" data-entry="${[id, method, path, named, summary].join(" ")}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${path}</code>
<span class="sentence">${summary}</span> <code class="permission">${named}</code></summary>
<div class="body">
<p>${renderInlineCode(describeRequirements(operation))}</p>
${parameters.length > 0 ? renderFieldTable("Query", id, parameters) : ""}
${body ? renderFieldTable("Request", id, listFields(toJsonSchema(body, "input"))) : ""}
${body ? html`<p>${describeBodyBounds(bodyBounds)}</p>` : ""}
${renderReply(id, reply)}
<h3 id="${id}-example">Example</h3>
<pre tabindex="0" role="region" aria-labelledby="${id}-example"><code>${buildExampleCurl(operation, baseUrl)}</code></pre>
</div>
</details>`;
}

function renderReply(id: string, reply: Operation["reply"]): Html | string {
  const mediaType = findMediaType(reply);
  if (mediaType !== null) return html`<h3>Reply</h3><p>${renderBodyType(mediaType)}</p>`;
  const fields = listFields(toJsonSchema(reply, "output"));
  if (fields.length > 0) return renderFieldTable("Reply", id, fields);
  return html`<h3>Reply</h3><p>An object of the provider’s own shape.</p>`;
}

function renderBodyType(mediaType: string): Html {
  if (mediaType === "*/*") return html`A body of the type that the header <code>content-type</code> names.`;
  if (mediaType === "text/event-stream") return html`Server-sent events.`;
  return html`A body of the type <code>${mediaType}</code>.`;
}

function renderFieldTable(heading: string, id: string, fields: ReturnType<typeof listFields>): Html {
  const label = `${id}-${heading.toLowerCase()}`;
  const isGiven = heading !== "Reply";
  return html`<h3 id="${label}">${heading}</h3>
<div class="scroll" tabindex="0" role="region" aria-labelledby="${label}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Note</th></tr></thead>
<tbody>${fields.map(
    ({ name, type, required, note }) => html`<tr><th scope="row"><code>${name}</code></th><td>${type}</td>
<td>${[isGiven && required ? "Required." : "", !isGiven && !required ? "Not always there." : "", note].filter(Boolean).join(" ")}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Renders words between backticks as code. */
function renderInlineCode(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

interface Field {
  /** The path to the field: `data[].id`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Bounds, default and meaning; empty where there are none. */
  readonly note: string;
}

/** The fields of an object, each followed by its nested fields. Alternatives are listed in turn. */
export function listFields(schema: JsonSchema, prefix = ""): Field[] {
  const { properties = {}, required = [], oneOf = [], anyOf = oneOf } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    {
      name: prefix + name,
      type: describeType(field),
      required: required.includes(name),
      note: writeNote(field),
    },
    ...listFieldsWithin(field, prefix + name),
  ]);
  return [...own, ...anyOf.flatMap((alternative) => listFields(alternative, prefix))];
}

function listFieldsWithin(field: JsonSchema, name: string): Field[] {
  const { oneOf = [], anyOf = oneOf } = field;
  return [field, ...anyOf].flatMap((schema) => [
    ...(schema === field && anyOf.length > 0 ? [] : listFields(schema, `${name}.`)),
    ...(schema.items ? listFieldsWithin(schema.items, `${name}[]`) : []),
  ]);
}

function describeType(schema: JsonSchema): string {
  const { type, items, oneOf, anyOf = oneOf, enum: words, const: constant } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (words) return words.map((word) => JSON.stringify(word)).join(" or ");
  if (anyOf) return [...new Set(anyOf.map(describeType))].join(" or ");
  if (type === "array") return `array of ${items ? describeType(items) : "any"}`;
  if (typeof type === "string") return type;
  return type?.join(" or ") ?? "any";
}

function writeNote(schema: JsonSchema): string {
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  const descriptions = alternatives.flatMap(({ description }) => description ?? []);
  const bounds = alternatives.flatMap((one) => formatBounds(one) ?? []);
  const usual = schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} unless given.`];
  return [...new Set([...descriptions, ...bounds, ...usual])].join(" ");
}

function formatBounds({ minimum, maximum, minLength, maxLength }: JsonSchema): string | null {
  const isBounded = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
  return (
    formatRange(isBounded(minimum), isBounded(maximum), "") ??
    formatRange(minLength, maxLength, " characters")
  );
}

function formatRange(min: number | undefined, max: number | undefined, unit: string): string | null {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}.`;
  if (max !== undefined) return `At most ${max}${unit}.`;
  return min === undefined || (unit && min === 1) ? null : `At least ${min}${unit}.`;
}

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

export interface OperationGroup {
  readonly id: string;
  readonly heading: string;
  readonly operations: readonly Operation[];
}

/** Every operation once, grouped by the resource of its permission, in the table's order. */
export function groupOperations(): OperationGroup[] {
  const groups = groupBy(operationTable, findResource);
  return [...groups].map(([id, operations]) => ({ id, heading: writeHeading(id), operations }));
}

function findResource({ permission }: Operation): string {
  return typeof permission === "string" ? (permission.split(".")[1] ?? "") : "signing_in";
}

function writeHeading(resource: string): string {
  const words = resource.replaceAll("_", " ").replace("api", "API");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
