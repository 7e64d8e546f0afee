// Safe for the browser. Every URL of the console is built here, except those of reads (`reads/reads.ts`).

import { decodeSegment, encodeSegment } from "@/lib/contract/path-segment";

type Query = Readonly<Record<string, string | undefined>>;
/** `open` is the name of a form's dialog (`useFormDialog`). */
type Opening = { open?: string };

/** Leaves out what is undefined or empty. */
function withQuery(path: string, query: Query): string {
  return withEntries(path, Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "")));
}

/** Leaves out what is undefined or null. */
function withEntries(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const entries = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return entries.length > 0 ? `${path}?${new URLSearchParams(entries)}` : path;
}

/**
 * A screen of a project, such as `/projects/proj_1/keys`; of every project for `all`. Without a project, the address
 * that redirects to the project that the person used last.
 */
function inProject(project: string | undefined, noun: string, query: Query = {}): string {
  return withQuery(`${project === undefined ? "" : `/projects/${encodeSegment(project)}`}/${noun}`, query);
}

/** Why the sign-in screen is shown: the session ended, a password was set, or single sign-on failed. */
export type SignInReason =
  | "ended"
  | "password-set"
  | "denied"
  | "lost"
  | "unknown"
  | "identity-link-first"
  | "linked-to-another"
  | "wait"
  | "failed";

/** The outcomes of linking single sign-on. */
export const identityLinkOutcomes = ["linked", "taken", "denied", "lost", "failed"] as const;
export type IdentityLinkOutcome = (typeof identityLinkOutcomes)[number];

export const paths = {
  overview: () => "/",
  /** Has the API's names of its filters; `range` and `columns` are the screen's own. */
  requests: (query: Query = {}) => withQuery("/requests", query),
  /** Has the API's names of its filters and grouping; `range` and `metric` are the screen's own. */
  usage: (query: Query = {}) => withQuery("/usage", query),
  /** A call's receipt. */
  request: (requestId: string) => `/requests/${encodeSegment(requestId)}`,
  tasks: (project?: string) => inProject(project, "tasks"),
  task: (taskId: string) => `/tasks/${encodeSegment(taskId)}`,
  /** A file that a task made, as the console's server forwards it. */
  taskOutput: (taskId: string, position: number) =>
    withQuery("/api/task-outputs", { task_id: taskId, position: String(position) }),
  /** `file` is the one to create a batch of. */
  batches: (project?: string, query: Opening & { file?: string } = {}) =>
    inProject(project, "batches", query),
  batch: (batchId: string) => `/batches/${encodeSegment(batchId)}`,
  files: (project?: string) => inProject(project, "files"),
  /** A stored file, as the console's server forwards it. */
  fileContent: (fileId: string) => withQuery("/api/file-contents", { file_id: fileId }),
  /** Where the console's server takes a file for a project. */
  uploads: (projectId: string) => withQuery("/api/uploads", { project_id: projectId }),
  /** Has the API's names of its filters; `range`, `from` and `to` are the screen's own. */
  auditLogs: (query: Query = {}) => withQuery("/audit-logs", query),
  auditLog: (auditLogId: string) => `/audit-logs/${encodeSegment(auditLogId)}`,
  accessRefusals: () => "/audit-logs/refused",
  routes: () => "/routes",
  health: () => "/health",
  /** `q` and `group` filter and group the grid. */
  rateLimits: (project?: string, query: { q?: string; group?: "model" } = {}) =>
    inProject(project, project === undefined ? "rate-limits" : "limits", query),
  /** The limits of a model in a project. */
  rateLimit: (project: string, model: string) => inProject(project, `limits/${encodeSegment(model)}`),
  /** The organization's, or those of a project. */
  roles: (project?: string) => inProject(project, "roles"),
  /** `copy` is the id of the role to begin from. */
  newRole: (query: { copy?: string } = {}) => withQuery("/roles/new", query),
  /** `role` and `with` are the ids of the two roles beside each other. */
  compareRoles: (query: { role?: string; with?: string } = {}) => withQuery("/roles/compare", query),
  /** Who holds a permission; `member` is somebody who is asked about alone. */
  whoCan: (query: { permission?: string; project?: string; member?: string } = {}) =>
    withQuery("/roles/who-can", query),
  role: (roleId: string) => `/roles/${encodeSegment(roleId)}`,
  members: (query: Opening = {}) => withQuery("/members", query),
  membersUpload: () => "/members/upload",
  member: (userId: string) => `/members/${encodeSegment(userId)}`,
  groups: (query: Opening = {}) => withQuery("/groups", query),
  group: (groupId: string) => `/groups/${encodeSegment(groupId)}`,
  /** `q` is the text to filter by. */
  keys: (project?: string, query: Opening & { q?: string } = {}) => inProject(project, "keys", query),
  directory: (query: Opening = {}) => withQuery("/directory", query),
  adminKeys: (query: Opening = {}) => withQuery("/admin-keys", query),
  organization: () => "/settings",
  /** `source` is where a plan comes from; `at`, `until` and `parts` select a moment and its parts. */
  configuration: (query: { source?: "openai" | "past"; at?: string } = {}) =>
    withQuery("/settings/configuration", query),
  projects: (query: Opening = {}) => withQuery("/projects", query),
  /** `tab` is a part of the page; the overview if it is absent. */
  project: (projectId: string, query: { tab?: string } = {}) =>
    withQuery(`/projects/${encodeSegment(projectId)}`, query),
  /**
   * Has the API's names of the ledger's filters; `range`, `from`, `to`, `open` and `entry`, which opens one beside the
   * list, are the screen's own.
   */
  balance: (query: Query = {}) => withQuery("/balance", query),
  ledgerEntry: (entryId: string) => `/balance/${encodeSegment(entryId)}`,
  /** The payments of the balance, and what waits for approval. */
  payments: () => withQuery("/balance", { show: "payments" }),
  /** Where they were before; the import's address is below it. */
  formerPayments: () => "/payments",
  importPayments: () => "/payments/import",
  statements: () => "/statements",
  reconcile: () => "/reconcile",
  /** `month` is "2026-10". `project` limits the statement to one project. */
  statement: (month: string, query: { project?: string } = {}) =>
    withQuery(`/statements/${encodeSegment(month)}`, query),
  /** A provider's invoice beside a month's charges. */
  compareInvoice: (month?: string) => withQuery("/statements/compare", { month }),
  /** Of all projects, or of one with its alerts. */
  spendLimits: (project?: string) => inProject(project, project === undefined ? "spend-limits" : "spend"),
  /** An empty value is a field that was emptied. */
  calculator: (query: Readonly<Record<string, string | null>> = {}) => withEntries("/calculator", query),
  models: () => "/models",
  providers: (query: Opening = {}) => withQuery("/providers", query),
  /** Compares the prices of models with those of the catalogue. */
  checkPrices: () => "/models/prices",
  newProvider: () => "/providers/new",
  /** The models of a provider, to import them. */
  providerModels: (providerId: string) => `/providers/${encodeSegment(providerId)}`,
  newModel: () => "/models/new",
  model: (modelId: string) => `/models/${encodeSegment(modelId)}`,
  modelRoutes: (modelId: string) => `/models/${encodeSegment(modelId)}/routes`,
  prompts: (project?: string) => inProject(project, "prompts"),
  /** `tab` is a part of the page, `run` the selected run. */
  prompt: (project: string | undefined, promptId: string, query: { tab?: string; run?: string } = {}) =>
    inProject(project, `prompts/${encodeSegment(promptId)}`, query),
  playground: (project?: string, query: Readonly<Record<string, string>> = {}) =>
    inProject(project, "playground", query),
  account: (query: { single_sign_on?: IdentityLinkOutcome } = {}) => withQuery("/account", query),
  /** The link of an invitation. The token is in the fragment, which browsers don't send to servers. */
  invite: (token: string) => `/invite#${new URLSearchParams({ token })}`,
  /** The link that shows a call’s receipt without sign-in. */
  sharedReceipt: (token: string) => `/receipt#${new URLSearchParams({ token })}`,
  /** The link by which a member sets a new password. */
  newPassword: (token: string) => `/new-password#${new URLSearchParams({ token })}`,
  /** `reason` lets the screen explain why the person was sent there; `with=key` shows the admin key's form. */
  signIn: (query: { next?: string | undefined; reason?: SignInReason; with?: "key" } = {}) =>
    withQuery("/sign-in", query),
  /** The redirect address for the OpenID provider. */
  signInAnswer: () => "/sign-in/answer",
  forgotPassword: () => "/forgot-password",
  /** A page of the guide, or its contents. It needs no session. */
  guide: (page?: string, anchor?: string) =>
    `/guide${page === undefined ? "" : `/${encodeSegment(page)}`}${anchor === undefined ? "" : `#${anchor}`}`,
} as const;

/** What the address of a project's screen begins with. */
const IN_PROJECT = /^\/projects\/([^/]+)(?=\/)/;

/** Returns the project that an address names, which may be `EVERY_PROJECT`; undefined if it names none. */
export function findProjectIn(pathname: string): string | undefined {
  const [, segment] = IN_PROJECT.exec(pathname) ?? [];
  return segment === undefined ? undefined : (decodeSegment(segment) ?? segment);
}

/** Returns the same address in another project. */
export function inAnotherProject(pathname: string, project: string): string {
  return pathname.replace(IN_PROJECT, `/projects/${encodeSegment(project)}`);
}

/**
 * Returns the path to open after sign-in: `next` if it is a page of this console, otherwise the overview. Accepts only
 * relative paths in printable ASCII without scheme, host or backslash. Refuses screens for signed-out people and
 * addresses that return data.
 */
export function safeNext(next: string | null | undefined): string {
  const home = paths.overview();
  // Browsers drop control characters and turn backslashes into slashes, so an address must contain neither.
  if (!next || !/^\/[!-[\]-~]*$/.test(next)) return home;
  const anywhere = "https://console.invalid";
  if (!URL.canParse(next, anywhere)) return home;
  const url = new URL(next, anywhere);
  if (url.origin !== anywhere || url.pathname.startsWith("//")) return home;
  if (/^\/(sign-in|invite|forgot-password|new-password|api|_next)(\/|$)/.test(url.pathname)) return home;
  return `${url.pathname}${url.search}`;
}
