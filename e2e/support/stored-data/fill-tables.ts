import type { Database } from "bun:sqlite";

export const ROWS = 20_000;
/** A group and a member that have the maximum number of members and roles. */
export const GROUP = "group_00000000000000000000000001";
export const USER = "user_00000000000000000000020000";

const id = (prefix: string) => `printf('${prefix}_%026d', n)`;
/** The older half has ended. A list of the rest must skip those rows or use an index. */
const OVER = `iif(n <= ${ROWS / 2}, 1, NULL)`;

/** Rows for every listed table, by column. `n` counts from 1; `:project` and `:prompt` are existing ids. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  projects: { id: id("proj"), name: "'P' || n", created_at_ms: "n", archived_at_ms: OVER },
  users: {
    id: id("user"),
    email: "'u' || n || '@example.com'",
    name: "'U' || n",
    created_at_ms: "n",
    removed_at_ms: OVER,
  },
  groups: { id: id("group"), name: "'G' || n", created_at_ms: "n" },
  group_users: { group_id: `'${GROUP}'`, user_id: id("user"), created_at_ms: "n" },
  roles: {
    id: id("role"),
    resource_type: "'api.project'",
    project_id: ":project",
    name: "'R' || n",
    permissions: `'["api.models.read"]'`,
    created_at_ms: "n",
  },
  role_assignments: {
    user_id: `iif(n % 2, NULL, ${id("user")})`,
    group_id: `iif(n % 2, ${id("group")}, NULL)`,
    role_id: "'role_project_viewer'",
    project_id: ":project",
    created_at_ms: "n",
  },
  service_accounts: {
    id: id("svc"),
    project_id: ":project",
    name: "'S' || n",
    role: "'member'",
    created_at_ms: "n",
    deleted_at_ms: OVER,
  },
  project_api_keys: {
    id: id("key"),
    project_id: ":project",
    name: "'K' || n",
    hash: "'k' || n",
    last_four: "'abcd'",
    created_at_ms: "n",
    revoked_at_ms: OVER,
  },
  admin_api_keys: {
    id: `printf('key_1%025d', n)`,
    name: "'A' || n",
    role_id: "'role_reader'",
    hash: "'a' || n",
    last_four: "'abcd'",
    created_at_ms: "n",
    revoked_at_ms: OVER,
  },
  conversations: {
    id: id("conv"),
    owner_id: id("user"),
    sealed_title: "'v1.x'",
    is_shared: "0",
    sealed_content: "'v1.x'",
    created_at_ms: "n",
    updated_at_ms: "n",
  },
  prompts: {
    id: id("prompt"),
    project_id: ":project",
    owner_id: id("user"),
    owner_name: "'U' || n",
    sealed_name: "'v1.x'",
    is_shared: "0",
    sealed_cases: "'v1.x'",
    latest_version: "1",
    created_at_ms: "n",
    updated_at_ms: "n",
  },
  prompt_versions: {
    id: id("promptver"),
    prompt_id: id("prompt"),
    number: "1",
    author_id: id("user"),
    author_name: "'U' || n",
    sealed_content: "'v1.x'",
    created_at_ms: "n",
  },
  prompt_runs: {
    id: id("run"),
    prompt_id: ":prompt",
    author_id: "'user'",
    author_name: "'U'",
    versions: "'[1]'",
    models: "'[\"m\"]'",
    sealed_cases: "'v1.x'",
    created_at_ms: "n",
  },
  invites: {
    id: id("invite"),
    email: "'i' || n || '@example.com'",
    role_id: "'role_reader'",
    projects: "'[]'",
    hash: "'i' || n",
    created_at_ms: "n",
    expires_at_ms: "n",
    accepted_at_ms: OVER,
  },
  ledger_entries: {
    id: id("txn"),
    kind: "'charge'",
    amount: "0",
    held: "0",
    created_at_ms: "n",
    request_id: id("req"),
    project_id: ":project",
    key_id: "'key'",
    model: "iif(n <= 2, 'rare', 'usual')",
    prompt_tokens: "1",
    completion_tokens: "1",
    started_at_ms: "n",
    stream: "0",
    outcome: "'completed'",
    status: "200",
    estimated_tokens: "2",
    basis: "'reported'",
    duration_ms: "1",
    // The entries cost nothing, so the opening balance stays.
    balance_after: "10000000000",
  },
  uncharged_calls: {
    id: `printf('req_1%025d', n)`,
    at_ms: "n * 60000",
    project_id: ":project",
    key_id: "'key'",
    model: "'usual'",
    stream: "0",
    outcome: "'refused'",
    status: "429",
    refused_by: "'concurrency'",
    estimated_tokens: "2",
  },
  refusal_counts: {
    minute_ms: "n * 60000",
    project_id: ":project",
    key_id: "'key'",
    model: "'usual'",
    refused_by: "'concurrency'",
    refusals: "2",
    estimated_tokens: "4",
  },
  access_refusals: {
    id: id("refusal"),
    first_at_ms: "n",
    last_at_ms: "n",
    caller_id: "'user'",
    operation: "'createRole'",
    status: "403",
    code: "'missing_permission'",
    refusals: "1",
    request_id: "'req'",
  },
  audit_logs: {
    seq: "n + (SELECT max(seq) FROM audit_logs)",
    id: id("audit"),
    at_ms: "n",
    type: "'project.created'",
    changes: "'[]'",
    hash: "'h'",
  },
};

/**
 * The first `n` of tables that refer to members: the older half of the members are removed and have no further rows.
 */
const FIRST: Readonly<Record<string, number>> = { group_users: ROWS / 2 + 1, role_assignments: ROWS / 2 + 1 };

/** The first filled prompt. */
const PROMPT = "prompt_00000000000000000000000001";

/**
 * Fills the database of a stopped gateway with many rows of everything that has a list. All runs belong to one prompt.
 */
export function fillTables(database: Database, projectId: string, promptId = PROMPT): void {
  // The next start creates the triggers again.
  const audits = database.query<{ name: string }, []>(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%\\_audit\\_%' ESCAPE '\\'",
  );
  for (const { name } of audits.all()) database.run(`DROP TRIGGER ${name}`);
  database.transaction(() => {
    for (const [table, columns] of Object.entries(tables)) {
      const sql = `WITH RECURSIVE counted(n) AS (SELECT ${FIRST[table] ?? 1} UNION ALL SELECT n + 1 FROM counted WHERE n < ${ROWS})
        INSERT INTO ${table} (${Object.keys(columns).join(", ")})
        SELECT ${Object.values(columns).join(", ")} FROM counted ORDER BY n`;
      const statement = database.prepare(sql);
      const given = { project: projectId, prompt: promptId };
      const named = Object.entries(given).filter(([name]) => sql.includes(`:${name}`));
      statement.run(Object.fromEntries(named));
    }
  })();
}
