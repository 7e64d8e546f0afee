import { sql } from "kysely";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { isPostgres } from "./database";
import { laterMigrations } from "./later-migrations";
import { addTable, type Migration, replaceTrigger } from "./migration";
import { integer, json, nano, text, time } from "./tables/columns";
import {
  responseConversationTables,
  responseItemTable,
  responsePartTable,
  storedResponseTable,
} from "./tables/conversations";
import { limitApprovalTables, limitPlanTables } from "./tables/limits";
import { accessRequestsOfMoreKinds, firstAccessRequests } from "./tables/people";
import { table } from "./tables/table";

/** The digests of the files that were moved to the bucket, to compare with what it returns. */
const storedObjects: Migration = {
  name: "0101-stored-objects",
  up: (queries) =>
    addTable(
      queries,
      table(
        "stored_objects",
        { id: text, position: integer, sha256: text },
        { primaryKey: ["id", "position"], withoutRowid: true },
      ),
    ),
};

/** What doesn't change in an entry: all but its trace, which is deleted, and its balance, which is set once. */
const FIXED = `seq, id, kind, amount, created_at_ms, reference, basis, request_id, project_id, key_id, model, prompt_tokens,
  completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
  first_byte_ms, duration_ms, hash, provider, cached_tokens, unit, units, unit_price, note, corrects, reason, batch_id,
  audio, counted_tokens, classes`;

/** Prices of cached tokens and of long contexts: of models, on holds and on charges. */
const priceClasses: Migration = {
  name: "0110-price-classes",
  async up(queries) {
    for (const statement of [
      "ALTER TABLE models ADD COLUMN price_classes TEXT",
      "ALTER TABLE model_prices ADD COLUMN price_classes TEXT",
      "ALTER TABLE scheduled_prices ADD COLUMN price_classes TEXT",
      "ALTER TABLE holds ADD COLUMN classes TEXT",
      "ALTER TABLE ledger_entries ADD COLUMN classes TEXT",
    ])
      await sql.raw(statement).execute(queries);
    await replaceTrigger(queries, "ledger_entries", "ledger_entries_are_not_changed", {
      on: `BEFORE UPDATE OF ${FIXED}`,
      refuse: "ledger entries are immutable",
    });
  },
};

/** The protocols of each provider, and how it is shown its key. Those there were are asked as before. */
const providerProtocols: Migration = {
  name: "0120-provider-protocols",
  async up(queries) {
    await sql`ALTER TABLE providers ADD COLUMN protocols TEXT NOT NULL DEFAULT '["chat"]'`.execute(queries);
    await sql`ALTER TABLE providers ADD COLUMN auth TEXT NOT NULL DEFAULT 'bearer'`.execute(queries);
    await sql`ALTER TABLE providers ADD COLUMN messages_base_url TEXT`.execute(queries);
  },
};

/** The projects that may call a model, null for every project as before, and what its prompts may have beside text. */
const modelProjects: Migration = {
  name: "0160-model-projects",
  async up(queries) {
    await sql`ALTER TABLE models ADD COLUMN projects TEXT`.execute(queries);
    await sql`ALTER TABLE models ADD COLUMN input_modalities TEXT`.execute(queries);
  },
};

/** When members last signed in, as far as their devices tell. */
const lastSignIns: Migration = {
  name: "0140-last-sign-ins",
  async up(queries) {
    const milliseconds = sql.raw(isPostgres(queries) ? "BIGINT" : "INTEGER");
    await sql`ALTER TABLE users ADD COLUMN last_signed_in_at_ms ${milliseconds}`.execute(queries);
    await sql`UPDATE users SET last_signed_in_at_ms = (
      SELECT max(last_used_at_ms) FROM sign_in_devices WHERE user_id = users.id
    )`.execute(queries);
  },
};

/** The organization's logo, and how the console shows dates and numbers to everybody. */
const organizationLook: Migration = {
  name: "0175-organization-look",
  async up(queries) {
    await sql`ALTER TABLE organizations ADD COLUMN logo TEXT`.execute(queries);
    await sql`ALTER TABLE organizations ADD COLUMN time_zone TEXT`.execute(queries);
    await sql`ALTER TABLE organizations ADD COLUMN number_format TEXT NOT NULL DEFAULT 'comma'`.execute(
      queries,
    );
  },
};

/** Requests for higher limits or a permission. */
const accessRequests: Migration = {
  name: "0180-access-requests",
  up: (queries) => addTable(queries, firstAccessRequests),
};

/**
 * Requests for a higher spend limit, and for a model that a project may not call. The version before would end such a
 * grant without giving it back.
 */
const moreAccessRequests: Migration = {
  name: "0275-more-access-requests",
  async up(queries) {
    // SQLite widens no check, so the table is made anew.
    const copied = Object.keys(firstAccessRequests.columns).join(", ");
    const run = (statement: string) => sql.raw(statement).execute(queries);
    await run(`CREATE TABLE access_requests_before AS SELECT ${copied} FROM access_requests`);
    await run("DROP TABLE access_requests");
    await addTable(queries, accessRequestsOfMoreKinds);
    await run(`INSERT INTO access_requests (${copied}) SELECT ${copied} FROM access_requests_before`);
    await run("DROP TABLE access_requests_before");
  },
};

/** Links to receipts of calls. */
const receiptLinks: Migration = {
  name: "0181-receipt-links",
  up: (queries) =>
    addTable(
      queries,
      table(
        "receipt_links",
        {
          id: text.primaryKey(),
          request_id: text,
          project_id: text,
          hash: text.unique(),
          created_at_ms: time,
          expires_at_ms: time,
          maker_kind: text,
          maker_id: text,
          maker_name: text,
        },
        { indexes: { receipt_links_request: { on: "request_id, id" } } },
      ),
    ),
};

/** Routes of models that were changed by API or console. */
const modelRoutes: Migration = {
  name: "0200-model-routes",
  up: (queries) =>
    addTable(queries, table("model_routes", { model: text.primaryKey(), routes: json, updated_at_ms: time })),
};

/**
 * Which limits were set by hand. Rows from before hold all six, and go on as they are: none of them follows a default.
 * And the changes of many limits at once, each with what it changed, so that it can be undone.
 */
const limitChanges: Migration = {
  name: "0205-limit-changes",
  async up(queries) {
    const every = sql.lit(JSON.stringify(rateLimitFields));
    await sql`ALTER TABLE rate_limits ADD COLUMN own_fields TEXT NOT NULL DEFAULT ${every}`.execute(queries);
    await addTable(
      queries,
      table(
        "rate_limit_changes",
        {
          id: text.primaryKey(),
          created_at_ms: time,
          maker_kind: text,
          maker_id: text,
          maker_name: text,
          size: integer,
          project_ids: json,
          changes: json,
          undoes: text.nullable(),
          undone_by: text.nullable(),
        },
        { indexes: { rate_limit_changes_undoes: { on: "undoes, id" } } },
      ),
    );
  },
};

/** Default limits that were changed by API or console. */
const limitDefaults: Migration = {
  name: "0206-limit-defaults",
  up: (queries) =>
    addTable(
      queries,
      table("rate_limit_defaults", { id: text.primaryKey(), limits: json, updated_at_ms: time }),
    ),
};

/** Responses that can be gone on from, with their texts encrypted. */
const storedResponses: Migration = {
  name: "0210-stored-responses",
  up: (queries) => addTable(queries, storedResponseTable),
};

/** Conversations that responses go on with. */
const responseConversations: Migration = {
  name: "0240-response-conversations",
  addsOnly: true,
  async up(queries) {
    for (const added of responseConversationTables) await addTable(queries, added);
  },
};

const responseItems: Migration = {
  name: "0241-response-items",
  addsOnly: true,
  up: (queries) => addTable(queries, responseItemTable),
};

/** Responses that go on without their client: how they stand, which process runs them, and the key of repeats. */
const backgroundResponses: Migration = {
  name: "0280-background-responses",
  addsOnly: true,
  async up(queries) {
    for (const column of ["status", "owner", "repeat_key", "body_hash"])
      await sql.raw(`ALTER TABLE responses ADD COLUMN ${column} TEXT`).execute(queries);
    for (const statement of [
      "CREATE INDEX responses_under_way ON responses (project_id) WHERE owner IS NOT NULL",
      "CREATE INDEX responses_by_repeat_key ON responses (repeat_key) WHERE repeat_key IS NOT NULL",
    ])
      await sql.raw(statement).execute(queries);
    await addTable(queries, responsePartTable);
  },
};

/** Plans of configuration files, and those that were applied. */
const configurationPlans: Migration = {
  name: "0230-configuration-plans",
  async up(queries) {
    await addTable(
      queries,
      table("configuration_plans", {
        id: text.primaryKey(),
        created_at_ms: time,
        file: json,
        changes: json,
        details: json,
      }),
    );
    await addTable(
      queries,
      table("configuration_applications", {
        id: text.primaryKey(),
        plan_id: text,
        applied_at_ms: time,
        person: json,
        changes: json,
        base: json,
        undone_at_ms: time.nullable(),
      }),
    );
  },
};

/** What providers may bill for attempts that failed, by day. */
const unaccountedCosts: Migration = {
  name: "0201-unaccounted-costs",
  up: (queries) =>
    addTable(
      queries,
      table(
        "unaccounted_costs",
        {
          day_ms: time,
          provider: text,
          provider_model: text,
          model: text,
          attempts: integer,
          prompt_tokens: integer,
          amount: nano,
        },
        { primaryKey: ["day_ms", "provider", "provider_model", "model"] },
      ),
    ),
};

/** Named sets of limits by model, and the projects that follow each. */
const limitPlans: Migration = {
  name: "0250-limit-plans",
  async up(queries) {
    for (const added of limitPlanTables) await addTable(queries, added);
  },
};

/** Above which limits a second person has to approve, and the drafts that wait for one. */
const limitApprovals: Migration = {
  name: "0251-limit-approvals",
  async up(queries) {
    for (const added of limitApprovalTables) await addTable(queries, added);
  },
};

/** The groups that an invitation leads into. */
const invitedGroups: Migration = {
  name: "0255-invited-groups",
  async up(queries) {
    await sql`ALTER TABLE invites ADD COLUMN group_ids TEXT NOT NULL DEFAULT '[]'`.execute(queries);
  },
};

/** What a directory says of members and groups, and when it deactivated a member. */
const directory: Migration = {
  name: "0260-directory",
  async up(queries) {
    const whole = isPostgres(queries) ? "BIGINT" : "INTEGER";
    for (const statement of [
      "ALTER TABLE users ADD COLUMN user_name TEXT",
      "ALTER TABLE users ADD COLUMN external_id TEXT",
      "ALTER TABLE users ADD COLUMN given_name TEXT",
      "ALTER TABLE users ADD COLUMN family_name TEXT",
      `ALTER TABLE users ADD COLUMN deactivated_at_ms ${whole}`,
      "ALTER TABLE groups ADD COLUMN external_id TEXT",
      `ALTER TABLE groups ADD COLUMN is_scim_managed ${whole} NOT NULL DEFAULT 0`,
    ])
      await sql.raw(statement).execute(queries);
  },
};

/** Several keys of a provider. */
const providerKeys: Migration = {
  name: "0265-provider-keys",
  addsOnly: true,
  async up(queries) {
    await sql`ALTER TABLE providers ADD COLUMN sealed_api_keys TEXT`.execute(queries);
  },
};

/** When somebody decided that a key goes on although its maker has left. */
const keptKeys: Migration = {
  name: "0261-kept-keys",
  addsOnly: true,
  async up(queries) {
    const whole = sql.raw(isPostgres(queries) ? "BIGINT" : "INTEGER");
    await sql`ALTER TABLE project_api_keys ADD COLUMN kept_at_ms ${whole}`.execute(queries);
  },
};

/** In the order in which they run. The first version of the schema is `tables/`, and is not changed once it is used. */
export const migrations: Migration[] = [
  storedObjects,
  priceClasses,
  providerProtocols,
  lastSignIns,
  modelProjects,
  organizationLook,
  accessRequests,
  receiptLinks,
  modelRoutes,
  unaccountedCosts,
  limitChanges,
  limitDefaults,
  storedResponses,
  configurationPlans,
  responseConversations,
  responseItems,
  limitPlans,
  limitApprovals,
  invitedGroups,
  directory,
  keptKeys,
  providerKeys,
  moreAccessRequests,
  backgroundResponses,
  ...laterMigrations,
];
