import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { operationTable } from "@/lib/contract/operation-table";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { officialClient } from "../../support/clients/official-client";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { pagedLists } from "../../support/operations/paged-lists";
import { fillTables, GROUP, ROWS, USER } from "../../support/stored-data/fill-tables";

const PAGE = 100;
/** A page reads one more row to know whether there are others, and looks up each cursor. */
const FEW = 3 * PAGE;
/** The rows scanned before other requests are served, where a filter excludes rows: a millisecond or two. */
const STRETCH = 510;

/** The caller is a filter here, since most calls are other callers'. */
const findMaxRows = (id: string) => (id === "listOwnRequests" ? STRETCH : FEW);

let gateway: ServedGateway;
let prompt: { id: string };
let conversation: { id: string };

serveForAll(async (served) => {
  gateway = served;
  const body = { messages: [{ role: "user", content: "Hi" }] };
  prompt = await gateway.admin("POST", `/organization/projects/${gateway.projectId}/prompts`, {
    name: "Run often",
    content: { endpoint: "chat_completions", body },
  });
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/body_settings`, {
    mode: "whole",
    retention_days: 30,
    redactions: [],
  });
  conversation = await fillConversation(250);
  await gateway.restart(async () => {
    using database = openSqlite(gateway.databasePath);
    fillTables(database, gateway.projectId, prompt.id);
  });
});

/** A conversation with so many items. */
async function fillConversation(count: number): Promise<{ id: string }> {
  const client = officialClient(gateway.baseUrl, gateway.key);
  const { id } = await client.conversations.create();
  const item = { role: "user" as const, content: "Hi" };
  for (let added = 0; added < count; added += 10)
    await client.conversations.items.create(id, { items: Array.from({ length: 10 }, () => item) });
  return { id };
}

/** All paged lists, with their path parameters. */
const lists = pagedLists.map(({ id, path }) => ({ id, path }));

function fillAddress(path: string): string {
  const params: Record<string, string> = {
    project_id: gateway.projectId,
    group_id: GROUP,
    user_id: USER,
    model_id: "sandbox-echo",
    permission: "api.models.read",
    prompt_id: prompt.id,
    conversation_id: conversation.id,
    request_id: `req_1${"1".padStart(25, "0")}`,
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
}

async function read(path: string, query: Record<string, string>) {
  const reply = await fetchWithKey(`${gateway.baseUrl}${fillAddress(path)}?${new URLSearchParams(query)}`, {
    key: gateway.adminKey,
    ...(path.startsWith("/conversations") && { headers: { "openai-project": gateway.projectId } }),
  });
  const json = JSON.parse(await reply.text());
  if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(json)}`);
  return json as { data: { id?: string }[]; first_id: string; last_id: string; has_more: boolean };
}

interface ExecutedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The statements that the gateway executes during this work. */
async function recordStatements(work: () => Promise<unknown>): Promise<ExecutedStatement[]> {
  const asked: ExecutedStatement[] = [];
  const prepare = Database.prototype.prepare;
  const spy = spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database,
    sql,
    ...rest
  ) {
    const statement = prepare.call(this, sql, ...rest);
    const all = statement.all.bind(statement);
    statement.all = (...parameters) => {
      asked.push({ sql, parameters });
      return all(...parameters);
    };
    return statement;
  } as typeof prepare);
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return asked;
}

/** How many rows SQLite visits: a function called for each row counts them. */
function rowsSteppedBy({ sql, parameters }: ExecutedStatement): number {
  const counted = / where /i.test(sql)
    ? sql.replace(/ where /i, " where stepped() and ")
    : sql.replace(/( group by | order by | limit |$)/i, " where stepped() $1");
  using database = new DatabaseSync(gateway.databasePath, { readOnly: true });
  let rows = 0;
  database.function("stepped", () => {
    rows++;
    return 1;
  });
  database.prepare(counted).all(...(parameters as string[]));
  return rows;
}

test("every list operation is covered by this test", () => {
  const unpaged = operationTable.filter(({ id, method }) => method === "GET" && id.startsWith("list"));
  const others = unpaged.map(({ id }) => id).filter((id) => !lists.some((list) => list.id === id));
  // OpenAI's models are a single page; usage is paged by time buckets; the items of a response are in one row.
  expect(others.toSorted()).toEqual([
    "listAudioSpeechesUsage",
    "listAudioTranscriptionsUsage",
    "listCompletionsUsage",
    "listCosts",
    "listEmbeddingsUsage",
    "listImagesUsage",
    "listModels",
    "listModerationsUsage",
    "listOwnUsage",
    "listResponseItems",
  ]);
});

test.each(lists)("$id reads about as many rows as it shows, wherever its page is", async ({ id, path }) => {
  const limit = String(PAGE);
  const first = await read(path, { limit });
  const pages: Record<string, string>[] = [{ limit }];
  if (first.has_more) {
    const second = await read(path, { limit, after: first.last_id });
    expect(second.data).toHaveLength(PAGE);
    expect(second.first_id).not.toBe(first.last_id);
    pages.push({ limit, after: second.last_id }, { limit, before: second.first_id });
    const back = await read(path, { limit, before: second.first_id });
    expect([back.first_id, back.last_id]).toEqual([first.first_id, first.last_id]);
  }
  for (const page of pages) {
    const statements = await recordStatements(() => read(path, page));
    for (const statement of statements) {
      const most = findMaxRows(id);
      const rows = Math.max(rowsSteppedBy(statement), most);
      expect([id, page, statement.sql, rows]).toEqual([id, page, statement.sql, most]);
    }
  }
});

test("every table has more rows than a page", async () => {
  const stored = ["listProjects", "listUsers", "listGroups", "listInvites", "listLedger", "listAuditLogs"];
  for (const { path } of lists.filter(({ id }) => stored.includes(id))) {
    expect((await read(path, { limit: "1000" })).has_more).toBe(true);
  }
  expect(ROWS).toBeGreaterThan(10 * PAGE);
});

test("a filter that fits nothing looks at a stretch at a time, and finds what there is", async () => {
  const rare = [
    ["/organization/ledger", { model: "rare" }],
    ["/organization/ledger", { kind: "provider_variance" }],
    ["/organization/audit_logs", { event_types: "none" }],
    ["/organization/requests", { model: "none" }],
    ["/organization/requests", { refused_by: "balance" }],
  ] as const;
  for (const [path, filter] of rare) {
    const statements = await recordStatements(() => read(path, filter));
    expect(Math.max(...statements.map(rowsSteppedBy))).toBeLessThanOrEqual(STRETCH);
  }
  expect((await read("/organization/ledger", { model: "rare" })).data).toHaveLength(2);
});
