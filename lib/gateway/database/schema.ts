import type { Generated } from "kysely";
import type { ResourceType } from "@/lib/contract/access/predefined-roles";
import type { HostedKind, OutputLimitField, ProviderAuth } from "@/lib/contract/calls/provider-protocols";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { BodyMode } from "@/lib/contract/operations/calls/request-bodies";
import type { ServiceAccountRole } from "@/lib/contract/operations/keys/service-accounts";
import type { BatchTables } from "../batches/batch-schema";
import type { AuditChange, AuditRow } from "../changes/audit/audit-event";
import type { FileTables } from "../files/file-schema";
import type { MoneyTables } from "../ledger/money-schema";
import type { ResponseTables } from "../log/responses/response-schema";
import type { SumTables } from "../log/sums/sum-schema";
import type { ModelTables } from "../models/model-schema";
import type { ConversationTables, PromptTables } from "../prompts/prompt-schema";
import type { SignInTables } from "../sign-in/sign-in-schema";
import type { TaskTables } from "../tasks/task-schema";

/**
 * The tables for Kysely. Columns ending in `_at_ms` are Unix milliseconds. Money columns are integers of nano-units,
 * beyond what a number holds exactly: select them as text and convert that to bigint.
 */
export interface Tables
  extends MoneyTables,
    SumTables,
    SignInTables,
    TaskTables,
    PromptTables,
    FileTables,
    BatchTables,
    ConversationTables,
    ModelTables,
    ResponseTables {
  /** Refused access, counted by the minute; null if a row has no caller, or combines several of its operations. */
  access_refusals: {
    id: string;
    first_at_ms: number;
    last_at_ms: number;
    caller_kind: "user" | "admin_key" | "project_key" | null;
    caller_id: string | null;
    caller_name: string | null;
    operation: string | null;
    project_id: string | null;
    ip: string | null;
    status: number;
    code: string;
    refusals: number;
    request_id: string;
  };
  /** Requests for limits, a model or a permission. Null where the kind doesn't have it, and before it is decided. */
  access_requests: {
    id: string;
    kind: "rate_limits" | "spend_limit" | "model" | "permission";
    project_id: string | null;
    model: string | null;
    /** JSON objects: the limits that are asked for, and those before the approval. */
    limits: string | null;
    limits_before: string | null;
    /** The spend limit that is asked for, and the one before the approval. */
    threshold_cents: number | null;
    threshold_cents_before: number | null;
    permission: string | null;
    reason: string | null;
    /** The refused call that led to it. */
    request_id: string | null;
    created_at_ms: number;
    maker_id: string;
    maker_name: string;
    status: "pending" | "approved" | "declined";
    decided_at_ms: number | null;
    decider_kind: "user" | "admin_api_key" | "project_api_key" | null;
    decider_id: string | null;
    decider_name: string | null;
    decline_reason: string | null;
    /** A JSON object: the role, its place and the time of its assignment. */
    given_role: string | null;
    /** A JSON object: what was changed so that the project may call the model. */
    given_access: string | null;
    /** When what was given goes back by itself, and when it did. */
    ends_at_ms: number | null;
    ended_at_ms: number | null;
    /** A JSON list of what was left alone at the end. */
    left_alone: string | null;
  };
  /** Links that show a call's receipt without sign-in, until they expire. */
  receipt_links: {
    id: string;
    request_id: string;
    project_id: string;
    hash: string;
    created_at_ms: number;
    expires_at_ms: number;
    maker_kind: "user" | "admin_api_key" | "project_api_key";
    maker_id: string;
    maker_name: string;
  };
  /** Plans of configuration files, as they were made. */
  configuration_plans: { id: string; created_at_ms: number; file: string; changes: string; details: string };
  /** Plans that were applied: what each has changed, and what all files until then have declared. */
  configuration_applications: {
    id: string;
    plan_id: string;
    applied_at_ms: number;
    person: string;
    changes: string;
    base: string;
    undone_at_ms: number | null;
  };
  organizations: {
    id: string;
    name: string;
    currency: string;
    created_at_ms: number;
    logo: string | null;
    time_zone: string | null;
    number_format: "comma" | "space" | "apostrophe";
  };
  projects: {
    id: string;
    name: string;
    created_at_ms: number;
    archived_at_ms: number | null;
    /** Null: calls go without them. */
    hosted_tools: "refuse" | null;
  };
  project_api_keys: {
    id: string;
    project_id: string;
    name: string;
    hash: string;
    last_four: string;
    created_at_ms: number;
    revoked_at_ms: number | null;
    service_account_id: string | null;
    expires_at_ms: number | null;
    /** JSON lists; null for no limit. */
    models: string | null;
    endpoints: string | null;
    created_by_kind: "user" | "admin_api_key" | "project_api_key" | null;
    created_by_id: string | null;
    created_by_name: string | null;
    /** The key that it replaced. */
    rotated_from: string | null;
    kept_at_ms: Generated<number | null>;
  };
  service_accounts: {
    id: string;
    project_id: string;
    name: string;
    role: ServiceAccountRole;
    created_at_ms: number;
    deleted_at_ms: number | null;
  };
  admin_api_keys: {
    id: string;
    name: string;
    role_id: string;
    hash: string;
    last_four: string;
    created_at_ms: number;
    revoked_at_ms: number | null;
    expires_at_ms: number | null;
    last_used_at_ms: number | null;
  };
  users: {
    id: string;
    email: string;
    name: string;
    developer_persona: string | null;
    technical_level: string | null;
    created_at_ms: number;
    removed_at_ms: number | null;
    last_signed_in_at_ms: Generated<number | null>;
    user_name: Generated<string | null>;
    external_id: Generated<string | null>;
    given_name: Generated<string | null>;
    family_name: Generated<string | null>;
    deactivated_at_ms: Generated<number | null>;
  };
  groups: {
    id: string;
    name: string;
    created_at_ms: number;
    external_id: Generated<string | null>;
    is_scim_managed: Generated<number>;
  };
  group_users: { group_id: string; user_id: string; created_at_ms: number };
  role_assignments: {
    user_id: string | null;
    group_id: string | null;
    role_id: string;
    project_id: string | null;
    created_at_ms: number;
  };
  sessions: {
    id: string;
    admin_api_key_id: string | null;
    user_id: string | null;
    hash: string;
    user_agent: string | null;
    created_at_ms: number;
    expires_at_ms: number;
  };
  sign_in_tokens: {
    hash: string;
    admin_api_key_id: string;
    expires_at_ms: number;
    used_at_ms: number | null;
  };
  roles: {
    id: string;
    resource_type: ResourceType;
    project_id: string | null;
    name: string;
    description: string | null;
    permissions: string;
    created_at_ms: number;
  };
  /** `own_fields` is a JSON list of the limits that were set by hand; the others follow their defaults. */
  rate_limits: RateLimitValues & {
    project_id: string;
    model: string;
    updated_at_ms: number;
    own_fields: string;
  };
  /** Changes of several rate limits at once. */
  rate_limit_changes: {
    id: string;
    created_at_ms: number;
    maker_kind: "user" | "admin_api_key" | "project_api_key";
    maker_id: string;
    maker_name: string;
    /** How many projects and models it changed. */
    size: number;
    /** A JSON list. */
    project_ids: string;
    /** A JSON list of `SavedLimitChange`. */
    changes: string;
    /** The change that it took back. */
    undoes: string | null;
    /** The change that took it back. */
    undone_by: string | null;
  };
  /** One row: above which limits a second person has to approve, as a JSON object, and since when without a gap. */
  rate_limit_bounds: { id: string; bounds: string; since_ms: number | null };
  /** Drafts of limits, or of bounds, that wait or waited for a second person. `changes` is a JSON list. */
  rate_limit_drafts: {
    id: string;
    created_at_ms: number;
    maker_kind: "user" | "admin_api_key" | "project_api_key";
    maker_id: string;
    maker_name: string;
    status: "pending" | "approved" | "declined" | "saved";
    digest: string;
    changes: string;
    bounds: string | null;
    decided_at_ms: number | null;
    decider_kind: "user" | "admin_api_key" | "project_api_key" | null;
    decider_id: string | null;
    decider_name: string | null;
    reason: string | null;
  };
  limit_plans: { id: string; name: string; created_at_ms: number };
  /** `model` is empty for every model that the plan doesn't name, and `limits` a JSON object. */
  limit_plan_limits: { plan_id: string; model: string; limits: string; updated_at_ms: number };
  limit_plan_projects: { project_id: string; plan_id: string; updated_at_ms: number };
  model_permissions: {
    project_id: string;
    mode: "allow_list" | "deny_list";
    model_ids: string;
    updated_at_ms: number;
  };
  invites: {
    id: string;
    email: string;
    role_id: string;
    projects: string;
    hash: string;
    created_at_ms: number;
    expires_at_ms: number;
    accepted_at_ms: number | null;
    /** Null if it is unknown; the invitation can't be accepted then. */
    inviter_kind: "admin_key" | "user" | null;
    inviter_id: string | null;
    group_ids: string;
  };
  providers: {
    id: string;
    kind: HostedKind;
    base_url: string;
    /** The first key. */
    sealed_api_key: string | null;
    /** A JSON object with all keys by id, in their order; null where `sealed_api_key` is the only one. */
    sealed_api_keys: Generated<string | null>;
    created_at_ms: number;
    output_limit_field: OutputLimitField | null;
    /** Null for the default. */
    connect_seconds: number | null;
    whole_answer_seconds: number | null;
    first_event_seconds: number | null;
    idle_seconds: number | null;
    total_seconds: number | null;
    /** A JSON list. */
    refused_fields: string;
    /** A JSON list. */
    protocols: string;
    auth: ProviderAuth;
    /** Null where it is `base_url`. */
    messages_base_url: string | null;
  };
  /** `scope` is a project's id, or `organization`. */
  spend_limits: { scope: string; amount: bigint; updated_at_ms: number };
  /** What providers may bill for failed attempts of a day (UTC). `amount` is at list prices. */
  unaccounted_costs: {
    day_ms: number;
    provider: string;
    provider_model: string;
    model: string;
    attempts: number;
    prompt_tokens: number;
    amount: bigint;
  };
  spend_alerts: {
    id: string;
    scope: string;
    threshold_cents: number;
    recipients: string;
    subject_prefix: string | null;
    created_at_ms: number;
  };
  spend_alert_firings: {
    id: string;
    alert_id: string;
    scope: string;
    threshold_cents: number;
    spent: bigint;
    month_start_ms: number;
    fired_at_ms: number;
  };
  alert_deliveries: {
    id: string;
    body: string;
    status: "pending" | "delivered" | "exhausted";
    tries: number;
    tried_at_ms: number | null;
    due_at_ms: number | null;
    failure: string | null;
    /** The process that delivers it, and when another process may take it over. */
    claimed_by: Generated<string | null>;
    claimed_until_ms: Generated<number | null>;
  };
  /** When a circuit breaker was last closed by hand. */
  circuit_closings: { provider: string; model: string; closed_at_ms: number };
  body_settings: {
    project_id: string;
    mode: BodyMode;
    retention_days: number;
    redactions: string;
    set_at_ms: number;
  };
  /** Stored bodies of calls, by the calls' ids. */
  request_bodies: {
    id: string;
    project_id: string;
    at_ms: number;
    sealed_metadata: string;
    sealed_texts: string | null;
  };
  audit_logs: AuditRow;
  /** The changes of the open transaction, with `before` and `after` as JSON. */
  audit_pending: Omit<AuditChange, "before" | "after"> & {
    seq: Generated<number>;
    before: string | null;
    after: string | null;
  };
}
