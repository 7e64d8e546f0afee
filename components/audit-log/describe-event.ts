import { monthName } from "@/components/ui/time/month-name";
import { paths } from "@/lib/console/paths";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { ORGANIZATION_DEFAULTS } from "@/lib/contract/calls/rate-limit-table";
import { readRateLimitModel } from "@/lib/contract/ids";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import type { AuditChange } from "./describe-changes";

/** Who made a change: display name, type of credential, and the id for finding their other events. */
interface Person {
  readonly name: string;
  readonly note: string | null;
  readonly id: string | null;
}

export function describePerson({ actor }: Pick<AuditLog, "actor">): Person {
  if (actor?.session) {
    const { user, api_key_id: keyId, api_key_name: keyName } = actor.session;
    if (user) return { name: user.email ?? user.id, note: null, id: user.id };
    return { name: keyName ?? keyId ?? actor.session.id, note: "admin key, in the console", id: keyId };
  }
  if (actor?.api_key) {
    const { id, name, type } = actor.api_key;
    return { name: name ?? id, note: type === "service_account" ? "service account" : "key", id };
  }
  return { name: "Gatehouse", note: "automatic", id: null };
}

/** Returns the IP address of the request; null if unknown. */
export function findActorAddress({ actor }: Pick<AuditLog, "actor">): string | null {
  return (actor?.session ?? actor?.api_key)?.ip_address ?? null;
}

/** The changed object: its name and its page. */
interface AuditedObject {
  readonly name: string;
  readonly href: string | null;
}

/** Null for events without a named object, such as a sign-in. */
export function describeObject(event: AuditLog): AuditedObject | null {
  const [first] = event.changes;
  // The first event names what it sets up.
  if (!first || event.type === otherEvents.organizationCreated) return null;
  const project = event.project && (event.project.name || event.project.id);
  if (ofScope.has(first.object)) return { name: project ?? "the organization", href: null };
  const found = describeChangedObject(first);
  // An object inside a project is shown with the project's name.
  const isIn = project !== undefined && first.object !== "projects";
  return found && { ...found, name: isIn ? `${found.name} in ${project}` : found.name };
}

/** Objects of which a project or the organization has only one, named after their owner. */
const ofScope = new Set([
  "spend_limits",
  "spend_alerts",
  "model_permissions",
  "body_settings",
  "callback_secrets",
  "payment_approval",
]);

type Find = (change: AuditChange, id: string) => AuditedObject | null;

const member: Find = ({ name }, id) => ({ name: name ?? id, href: paths.member(id) });
/** An object's own name, as it is after the change or was before it. */
const findChangedName = ({ name, before, after }: AuditChange, id: string): string =>
  findObjectName(after ?? before) ?? name ?? id;
const plain: Find = (change, id) => ({ name: findChangedName(change, id), href: null });
const below =
  (href: (id: string) => string): Find =>
  (change, id) => ({
    name: findChangedName(change, id),
    href: href(id),
  });
const objects: Readonly<Record<string, Find>> = {
  rate_limits: ({ project_id }, id) => ({
    name: readRateLimitModel(id),
    href: project_id === null ? paths.rateLimits() : paths.rateLimit(project_id, readRateLimitModel(id)),
  }),
  rate_limit_changes: ({ after, before }) => ({
    name: `${(after ?? before)?.size} pairs of project and model`,
    href: paths.rateLimits(),
  }),
  rate_limit_defaults: (_, id) => ({
    name: id === ORGANIZATION_DEFAULTS ? "every model" : id,
    href: paths.rateLimits(),
  }),
  rate_limit_bounds: () => ({ name: "rate limits", href: paths.rateLimits() }),
  rate_limit_drafts: (_, id) => ({ name: id, href: paths.rateLimits() }),
  limit_plans: below(() => paths.rateLimits()),
  limit_plan_limits: ({ subject_id }) => ({
    name: subject_id || "every other model",
    href: paths.rateLimits(),
  }),
  limit_plan_projects: (_, id) => ({ name: id, href: paths.rateLimits() }),
  models: (_, id) => ({ name: id, href: paths.model(id) }),
  scheduled_prices: (_, id) => ({ name: id, href: paths.model(id) }),
  model_prices: (_, id) => ({ name: id, href: paths.model(id) }),
  model_routes: (_, id) => ({ name: id, href: paths.model(id) }),
  providers: (_, id) => ({ name: id, href: paths.providers() }),
  circuit_closings: ({ subject_id }, id) => ({
    name: subject_id ? `${id}, ${subject_id}` : id,
    href: paths.health(),
  }),
  projects: below((id) => paths.project(id)),
  project_api_keys: (change, id) => ({
    name: findChangedName(change, id),
    href: paths.keys(change.project_id ?? undefined),
  }),
  roles: (change, id) => ({
    name: findChangedName(change, id),
    href: change.project_id === null ? paths.role(id) : paths.roles(change.project_id),
  }),
  role_views: (change, id) => ({ name: change.name ?? id, href: paths.role(id) }),
  role_draft_views: (change, id) => ({ name: `${change.name ?? id}, unsaved`, href: paths.role(id) }),
  users: below(paths.member),
  groups: below(paths.group),
  role_assignments: ({ subject_id, subject_name, after, before }) => {
    const id = subject_id ?? "";
    const isMember = (after ?? before)?.user_id !== null;
    return { name: subject_name ?? id, href: isMember ? paths.member(id) : null };
  },
  group_users: plain,
  sign_in_accounts: member,
  sign_in_identities: member,
  sign_in_two_factors: member,
  password_resets: member,
  access_requests: ({ after, before }, id) => ({
    name: nameAsked(after ?? before) ?? id,
    href: paths.overview(),
  }),
  receipt_links: ({ after, before }, id) => {
    const request = String((after ?? before)?.request_id ?? id);
    return { name: request, href: paths.request(request) };
  },
  requests: (_, id) => ({ name: id, href: paths.request(id) }),
  tasks: (_, id) => ({ name: id, href: paths.task(id) }),
  batches: (_, id) => ({ name: id, href: paths.batch(id) }),
  files: (_, id) => ({ name: id, href: null }),
  sessions: () => null,
  audit_logs: () => null,
  invites: ({ after, before }, id) => ({
    name: String((after ?? before)?.email ?? id),
    href: paths.members(),
  }),
  pending_payments: ({ before, after }, id) => ({
    name: String((after ?? before)?.reference ?? (after ?? before)?.corrects ?? id),
    href: paths.payments(),
  }),
  statements: (_, id) => ({ name: monthName(id), href: paths.statement(id) }),
  ledger_entries: ({ after }, id) => ({
    name: String(after?.reference ?? after?.corrects ?? id),
    href: paths.ledgerEntry(id),
  }),
};

function describeChangedObject(change: AuditChange): AuditedObject | null {
  return (objects[change.object] ?? plain)(change, change.id);
}

/** What somebody asked for: a model, a permission or a spend limit. */
function nameAsked(row: AuditChange["after"]): string | null {
  if (row?.kind === "spend_limit") return "a higher spend limit";
  const name = row?.model ?? row?.permission;
  return typeof name === "string" ? name : null;
}

function findObjectName(row: AuditChange["after"]): string | null {
  const name = row?.name ?? row?.email;
  return typeof name === "string" ? name : null;
}
