import { expect, test } from "bun:test";
import * as z from "zod/mini";
import { permissionCatalogue, permissions } from "@/lib/contract/access/permissions";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { operationTable } from "@/lib/contract/operation-table";
import { createReferenceAnswers } from "./answer-reference";
import type { openApiDocument } from "./open-api";
import { buildExampleBody, buildExampleCurl, buildExampleQuery, listFields } from "./render-operations-page";
import { toJsonSchema } from "./to-json-schema";

const answers = createReferenceAnswers();
const read = async (path: keyof typeof answers, host = "gateway.test") =>
  await answers[path]({ url: new URL(`http://${host}${path}`) });

/** The rows of the table after an id, as the texts of their cells. */
async function readTexts(path: keyof typeof answers, selector: string): Promise<string[]> {
  const texts: string[] = [];
  await new HTMLRewriter()
    .on(selector, {
      element: () => void texts.push(""),
      text: ({ text }) => void (texts[texts.length - 1] += text),
    })
    .transform(await read(path))
    .text();
  const plain = (text: string) =>
    text.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return texts.map((text) => plain(text).replace(/\s+/g, " ").trim());
}

test("every operation is in the reference with its method, path, permission and summary", async () => {
  const found = await readTexts("/docs", "details > summary");
  const expected = operationTable.map(({ method, path, summary, permission }) => {
    const named = typeof permission === "string" ? permission : permission.open;
    return `${method} ${path} ${summary.replaceAll("`", "")} ${named}`;
  });
  expect(found.map((text) => text.replaceAll("`", "")).toSorted()).toEqual(expected.toSorted());
});

test("the callback of a spend alert is described with its fields", async () => {
  const { webhooks } = (await (await read("/openapi.json")).json()) as ReturnType<typeof openApiDocument>;
  const { schema } = webhooks["spend_alert.fired"].post.requestBody.content["application/json"];
  const { data } = schema.properties as Record<string, { required: string[] }>;
  expect(data?.required).toEqual(
    expect.arrayContaining(["alert_id", "project_id", "threshold", "spent", "currency"]),
  );
});

test("the document is built once, names the requested address, and states the maximum body size", async () => {
  const readDocument = async (host: string) =>
    (await (await read("/openapi.json", host)).json()) as ReturnType<typeof openApiDocument>;
  const [one, other] = [await readDocument("one.test"), await readDocument("other.test:8080")];
  expect([one.servers, other.servers]).toEqual([
    [{ url: "http://one.test/v1" }],
    [{ url: "http://other.test:8080/v1" }],
  ]);
  const findBody = (path: string) => one.paths[path]?.post as { requestBody: { description: string } };
  expect(findBody("/organization/sign_in").requestBody.description).toStartWith("At most 16 KiB");
  expect(findBody("/chat/completions").requestBody.description).toStartWith("At most 32 MiB");
});

test("every permission and operation is in the table with every role", async () => {
  const rows = await readTexts("/docs/access", "#permissions tbody tr");
  const expected = permissions.map((name) =>
    [
      name,
      permissionCatalogue[name],
      ...predefinedRoles.map((role) => (role.permissions.includes(name) ? "✓yes" : "–no")),
    ].join(" "),
  );
  const squeeze = (text: string) => text.replaceAll(" ", "");
  expect(rows.map((row) => squeeze(row))).toEqual(expected.map((row) => squeeze(row)));
  const cells = await readTexts("/docs/access", "#operations tbody td");
  expect(cells).toHaveLength(operationTable.length * predefinedRoles.length);
});

test("each example is a call that the gateway accepts", () => {
  for (const operation of operationTable) {
    const body = buildExampleBody(operation);
    if (operation.body)
      expect([operation.id, z.safeParse(operation.body, body).error]).toEqual([operation.id, undefined]);
    const query = buildExampleQuery(operation);
    if (operation.query)
      expect([operation.id, z.safeParse(operation.query, query).error]).toEqual([operation.id, undefined]);
    const curl = buildExampleCurl(operation, "http://gateway.test/v1");
    expect(curl.split(" -d ")[0]).not.toMatch(/[{}]|undefined/);
  }
});

test("nested fields are named by their path", () => {
  const shape = z.object({
    data: z.array(z.object({ id: z.string(), at: z.nullable(z.int()) })),
    order: z.optional(z.enum(["asc", "desc"])),
    limit: z.int().check(z.minimum(1), z.maximum(5)),
  });
  expect(listFields(toJsonSchema(shape, "input"))).toEqual([
    { name: "data", type: "array of object", required: true, note: "" },
    { name: "data[].id", type: "string", required: true, note: "" },
    { name: "data[].at", type: "integer or null", required: true, note: "" },
    { name: "order", type: '"asc" or "desc"', required: false, note: "" },
    { name: "limit", type: "integer", required: true, note: "1 to 5." },
  ]);
});

test("a page loads nothing, runs only its own script, and names the address it was requested at", async () => {
  for (const path of ["/docs", "/docs/access"] as const) {
    const answer = await read(path);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:,)/);
    expect(page).not.toContain("base-url:");
  }
  expect(await (await read("/docs", "gateway.test:8080")).text()).toContain(
    "curl http://gateway.test:8080/v1/",
  );
});

test("the document is complete for code generators: every reference resolves, and none is unused", async () => {
  const document = (await (await read("/openapi.json")).json()) as ReturnType<typeof openApiDocument>;
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name),
  );
  const { securitySchemes, ...components } = document.components;
  const defined = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `${kind}/${name}`),
  );
  expect([...used].toSorted()).toEqual(defined.toSorted());
  expect(Object.keys(securitySchemes)).toEqual(["key", "x-api-key", "api-key"]);
});

test("every operation documents its refusals with the types of its errors; numbers are integers", async () => {
  const { paths, components } = (await (await read("/openapi.json")).json()) as ReturnType<
    typeof openApiDocument
  >;
  type Described = { responses: Record<string, object>; parameters: { name: string; schema: object }[] };
  const operations = Object.values(paths).flatMap((path) => Object.values(path)) as Described[];
  expect(operations).toHaveLength(operationTable.length);
  for (const { responses, parameters } of operations) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "401", "500", "503"]));
    for (const { name, schema } of parameters) {
      if (name === "limit") expect(schema).toMatchObject({ type: "integer" });
    }
  }
  expect(components.responses.Error429).toMatchObject({
    content: {
      "application/json": {
        schema: {
          properties: {
            error: {
              properties: {
                type: { enum: ["rate_limit_error"] },
                code: { enum: expect.arrayContaining(["concurrency", ...rateLimitFields]) },
              },
            },
          },
        },
      },
    },
  });
  const paid = operationTable.filter(({ permission, effect }) => {
    return effect === "pays" && permission === "api.completions.write";
  });
  expect(paid.length).toBeGreaterThan(9);
  for (const { path } of paid) {
    const described = paths[path]?.post as Described | undefined;
    expect(Object.keys(described?.responses ?? {})).toEqual(
      expect.arrayContaining(["402", "429", "502", "504"]),
    );
    expect(described?.responses["200"]).toMatchObject({ headers: { "x-ratelimit-limit-requests": {} } });
  }
  expect(paths["/chat/completions"]?.post).toMatchObject({
    responses: {
      200: {
        headers: { "x-ratelimit-reset-tokens": { $ref: "#/components/headers/x-ratelimit-reset-tokens" } },
        content: { "text/event-stream": {} },
      },
      502: { $ref: "#/components/responses/Error502" },
    },
  });
});

test("a reply that isn't JSON is described by its media type, in the document and on the page", async () => {
  const { paths } = (await (await read("/openapi.json")).json()) as ReturnType<typeof openApiDocument>;
  const typesOf = (path: string, method: string) => {
    const operation = paths[path]?.[method] as { responses: { 200: { content: object } } };
    return Object.keys(operation.responses[200].content);
  };
  expect(typesOf("/audio/speech", "post")).toEqual(["audio/*"]);
  expect(typesOf("/files/{file_id}/content", "get")).toEqual(["application/octet-stream"]);
  expect(typesOf("/tasks/{task_id}/events", "get")).toEqual(["text/event-stream"]);
  expect(typesOf("/tasks/{task_id}/output/{position}", "get")).toEqual(["*/*"]);
  expect(typesOf("/tasks/{task_id}", "get")).toEqual(["application/json"]);
  const page = await (await read("/docs")).text();
  expect(page).toContain("A body of the type <code>audio/*</code>.");
  expect(page).toContain("Server-sent events.");
});

test("no administrative request accepts undescribed fields: a generated client checks every field", async () => {
  const { components } = (await (await read("/openapi.json")).json()) as ReturnType<typeof openApiDocument>;
  const undescribed = Object.entries(components.schemas)
    // Such fields are passed on to providers, or kept for the console.
    .filter(
      ([name]) =>
        name.endsWith("Request") &&
        !/Completion|Message|Response|Compaction|Embedding|Moderation|Speech|Image|Video|Conversation|Prompt/.test(
          name,
        ),
    )
    .filter(([, schema]) => /(?<!"properties"):\{\}[,}]/.test(JSON.stringify(schema)));
  expect(undescribed).toEqual([]);
});
