import { capitalize } from "@/components/ui/text/capitalize";
import { rateLimitRows } from "@/lib/contract/calls/rate-limit-table";

/**
 * How a stored value is formatted. Money is stored in nano-units or cents, times in milliseconds, lists and unit prices
 * as JSON.
 */
type Format =
  | "text"
  | "count"
  | "time"
  | "nano"
  | "cents"
  | "list"
  | "role"
  | "unit price"
  | "audio price"
  | "price classes"
  | "limits"
  | "given role"
  | "changed objects";

export interface FieldWords {
  readonly label: string;
  readonly format: Format;
  /** The text for null. */
  readonly none: string;
}

const field = (label: string, format: Format = "text", none = "none"): FieldWords => ({
  label,
  format,
  none,
});

const prices = {
  rate: field("Model rate"),
  batch_rate: field("Batch rate", "text", "same as the model rate"),
  input_per_1m: field("Input price per million tokens"),
  output_per_1m: field("Output price per million tokens"),
  unit_price: field("List price", "unit price"),
  audio_price: field("Audio list price", "audio price", "same as text"),
  price_classes: field("Other list prices", "price classes"),
};
const expiry = { expires_at_ms: field("Expires", "time", "never") };
const name = { name: field("Name") };

/** Labels of the fields people set, by table and column. Other columns are shown by name. */
const fields: Readonly<Record<string, Readonly<Record<string, FieldWords>>>> = {
  rate_limits: {
    ...Object.fromEntries(
      rateLimitRows.map((row) => [row.field, field(row.words.label, "count", "no limit")]),
    ),
    own_fields: field("Set by hand", "list", "none"),
  },
  model_prices: prices,
  scheduled_prices: {
    effective_at_ms: field("Takes effect", "time"),
    rate: field("Model rate", "text", "unchanged"),
    batch_rate: field("Batch rate", "text", "unchanged"),
    input_per_1m: field("Input price per million tokens", "text", "unchanged"),
    output_per_1m: field("Output price per million tokens", "text", "unchanged"),
    unit_price: field("List price", "unit price", "unchanged"),
    audio_price: field("Audio list price", "audio price", "unchanged"),
    price_classes: field("Other list prices", "price classes", "unchanged"),
  },
  models: {
    ...prices,
    family: field("Family"),
    max_output_tokens: field("Max output tokens", "count"),
    context_window: field("Context window", "count", "not set"),
    routes: field("Routes", "list"),
  },
  body_settings: {
    mode: field("Keep"),
    retention_days: field("Days kept", "count"),
    redactions: field("Patterns", "list"),
  },
  model_routes: { routes: field("Routes", "list") },
  model_permissions: { mode: field("Mode"), model_ids: field("Models", "list") },
  providers: {
    kind: field("Kind"),
    base_url: field("Base URL"),
    sealed_api_key: field("First API key"),
    sealed_api_keys: field("API keys"),
    output_limit_field: field("Output limit field", "text", "usual"),
    connect_seconds: field("Connect timeout (s)", "count", "default"),
    whole_answer_seconds: field("Whole answer timeout (s)", "count", "default"),
    first_event_seconds: field("First event timeout (s)", "count", "default"),
    idle_seconds: field("Idle timeout (s)", "count", "default"),
    total_seconds: field("Total timeout (s)", "count", "default"),
    refused_fields: field("Refused fields", "list"),
  },
  circuit_closings: { closed_at_ms: field("Closed at", "time") },
  projects: { ...name, hosted_tools: field("Tools that providers run", "text", "left out") },
  groups: {
    ...name,
    external_id: field("Id in the directory"),
    is_scim_managed: field("Kept by the directory"),
  },
  organizations: {
    ...name,
    currency: field("Currency"),
    logo: field("Logo"),
    time_zone: field("Time zone"),
    number_format: field("Numbers"),
  },
  roles: { ...name, description: field("Description"), permissions: field("Permissions", "list") },
  users: {
    ...name,
    email: field("Email"),
    user_name: field("Name in the directory"),
    external_id: field("Id in the directory"),
    given_name: field("Given name"),
    family_name: field("Family name"),
    deactivated_at_ms: field("Deactivated", "time", "active"),
  },
  project_api_keys: {
    ...name,
    ...expiry,
    last_four: field("Ends in"),
    models: field("Models", "list", "every model"),
    endpoints: field("Endpoints", "list", "all of its role"),
    created_by_name: field("Created by"),
    rotated_from: field("Takes the place of"),
    kept_at_ms: field("Kept after its maker left", "time", "never"),
  },
  admin_api_keys: { ...name, role_id: field("Role", "role"), ...expiry, last_four: field("Ends in") },
  service_accounts: { ...name, role: field("Role") },
  invites: {
    email: field("Email"),
    role_id: field("Role", "role"),
    group_ids: field("Groups", "list", "none"),
    ...expiry,
  },
  payment_approval: { above: field("Approval above", "nano", "no approval") },
  pending_payments: {
    amount: field("Amount", "nano"),
    reference: field("Reference"),
    note: field("Note"),
    reason: field("Reason"),
    corrects: field("Corrects", "text", "nothing"),
    correction_reason: field("Reason of the correction"),
    approval_above: field("Approval above", "nano", "no approval"),
  },
  receipt_links: expiry,
  rate_limit_defaults: { limits: field("Set by hand", "limits") },
  limit_plans: name,
  rate_limit_bounds: { bounds: field("Second person above", "limits") },
  rate_limit_drafts: {
    status: field("Status"),
    bounds: field("Second person above", "limits"),
    decider_name: field("Decided by", "text", "nobody"),
    reason: field("Reason"),
  },
  limit_plan_limits: { limits: field("Set by the plan", "limits") },
  limit_plan_projects: { plan_id: field("Plan") },
  rate_limit_changes: {
    size: field("Projects and models", "count"),
    undoes: field("Takes back", "text", "nothing"),
    undone_by: field("Taken back by", "text", "nothing"),
  },
  access_requests: {
    limits: field("Limits that were asked for", "limits"),
    limits_before: field("Limits before", "limits"),
    threshold_cents: field("Spend limit that was asked for", "cents"),
    threshold_cents_before: field("Spend limit before", "cents"),
    given_role: field("Role", "given role"),
    given_access: field("Model allowed by", "list"),
    model: field("Model"),
    permission: field("Permission"),
    reason: field("Reason"),
    status: field("Answer"),
    decline_reason: field("Reason of the answer"),
    ends_at_ms: field("Goes back", "time", "stays"),
    ended_at_ms: field("Went back", "time", "not yet"),
    left_alone: field("Left alone", "list"),
  },
  configuration_applications: {
    plan_id: field("Plan"),
    changes: field("Changes", "changed objects"),
    undone_at_ms: field("Undone", "time", "no"),
  },
  statements: { digest: field("Digest"), closer_name: field("Closed by") },
  spend_limits: { amount: field("Limit per month", "nano") },
  spend_alerts: {
    threshold_cents: field("Alert at", "cents"),
    recipients: field("Recipients", "list"),
    subject_prefix: field("Subject begins with"),
  },
  ledger_entries: {
    amount: field("Amount"),
    reference: field("Reference"),
    note: field("Note"),
    corrects: field("Corrects"),
    reason: field("Reason"),
  },
  sessions: { user_agent: field("Browser or program", "text", "not said"), ...expiry },
  password_resets: expiry,
  audit_logs: { length: field("Up to event", "count"), hash: field("Hash") },
};

/** Columns that aren't shown: ids, and values that the event's type implies. */
const UNSAID =
  /^(id|hash|scope|model|resource_type|one|maker_kind|decider_kind|created_by_.*|.*_id|(set|created|updated|archived|removed|revoked|deleted|accepted)_at(_ms)?)$/;

/** Returns null for a column that isn't shown. */
export function findFieldWords(table: string, column: string): FieldWords | null {
  const known = fields[table]?.[column];
  if (known) return known;
  if (UNSAID.test(column)) return null;
  const words = column.replace(/_ms$/, "").replaceAll("_", " ");
  const label = capitalize(words);
  return field(label, column.endsWith("_at_ms") ? "time" : "text");
}
