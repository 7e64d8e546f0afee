import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod/mini";
import { parseJson } from "@/lib/contract/json-value";
import { ServerConnection } from "../../http/outbound/server-connection";
import { askWithin, describeUnanswered } from "../../providers/probe/probe-protocol";
import { invalid, Refusal } from "../../refusal";

const name = z.string();
const words = z.optional(z.nullable(z.string()));
const project = z.object({
  id: name,
  name: words,
  status: words,
  archived_at: z.optional(z.nullable(z.number())),
});
const role = z.object({
  id: name,
  name,
  description: words,
  permissions: z.array(z.string()),
  predefined_role: z.boolean(),
});
export type TheirRole = z.output<typeof role>;
const group = z.object({ id: name, name });
const user = z.object({ id: name, email: words, role: words, is_service_account: z.optional(z.boolean()) });
const groupUser = z.object({ id: name, email: words });
const invite = z.object({
  email: name,
  role: words,
  status: words,
  projects: z.optional(z.nullable(z.array(z.object({ id: name, role: words })))),
});
const limit = z
  .record(z.string(), z.unknown())
  .check(z.refine((fields) => typeof fields.model === "string", { message: "has no model" }));
const projectUser = z.object({ id: name, email: words, role: words });
const projectGroup = z.object({ group_id: name, group_name: name });
const modelPermissions = z.object({ mode: z.enum(["allow_list", "deny_list"]), model_ids: z.array(name) });
const spendLimit = z.object({ currency: name, interval: words, threshold_amount: z.int() });

/** An organization as it was read, with the lists of which something wasn't understood. */
export interface TheirOrganization {
  readonly roles: readonly TheirRole[];
  readonly groups: readonly (z.output<typeof group> & {
    readonly roles: readonly TheirRole[];
    readonly users: readonly z.output<typeof groupUser>[];
  })[];
  readonly users: readonly (z.output<typeof user> & { readonly roles: readonly TheirRole[] })[];
  readonly invites: readonly z.output<typeof invite>[];
  readonly projects: readonly TheirProject[];
  /** How many entries of which list weren't understood. */
  readonly odd: ReadonlyMap<string, number>;
  /** The lists that the server doesn't have. */
  readonly missing: ReadonlySet<string>;
}

export interface TheirProject {
  readonly id: string;
  readonly name: string;
  readonly limits: readonly z.output<typeof limit>[];
  readonly roles: readonly TheirRole[];
  readonly users: readonly z.output<typeof projectUser>[];
  readonly groups: readonly { readonly name: string; readonly roles: readonly TheirRole[] }[];
  readonly serviceAccounts: number;
  readonly models: z.output<typeof modelPermissions> | null;
  readonly spendLimit: z.output<typeof spendLimit> | null;
}

/** Requests under way at once, which no organization's rate limit minds. */
const AT_ONCE = 4;

/** Reads all that can be brought here. @throws Refusal as the API does. */
export async function readOrganization(api: AdminApi): Promise<TheirOrganization> {
  const odd = new Map<string, number>();
  const missing = new Set<string>();
  const list = async <Schema extends z.ZodMiniType>(what: string, path: string, schema: Schema) => {
    const items = await api.list(path);
    if (items === null) missing.add(what);
    return (items ?? []).flatMap((item): z.output<Schema>[] => {
      const read = schema.safeParse(item);
      if (!read.success) odd.set(what, (odd.get(what) ?? 0) + 1);
      return read.success ? [read.data] : [];
    });
  };
  const find = async <Schema extends z.ZodMiniType>(path: string, schema: Schema) =>
    schema.safeParse(await api.find(path)).data ?? null;
  const projects = await list("projects", "/organization/projects", project);
  const roles = await list("roles", "/organization/roles", role);
  const groups = await list("groups", "/organization/groups", group);
  const users = await list("members", "/organization/users", user);
  const invites = await list("invitations", "/organization/invites", invite);
  const isCustomized = roles.some((one) => !one.predefined_role);
  return {
    roles,
    invites,
    groups: await inParallel(groups, async (one) => ({
      ...one,
      roles: await list("roles of groups", at`/organization/groups/${one.id}/roles`, role),
      users: await list("members of groups", at`/organization/groups/${one.id}/users`, groupUser),
    })),
    // Where no role is the organization's own, the word says it all.
    users: await inParallel(users, async (one) => ({
      ...one,
      roles: isCustomized
        ? await list("roles of members", at`/organization/users/${one.id}/roles`, role)
        : [],
    })),
    projects: await inParallel(projects.filter(isActive), async (one): Promise<TheirProject> => {
      const inside = at`/organization/projects/${one.id}`;
      const own = at`/projects/${one.id}`;
      const theirGroups = await list("groups of projects", `${inside}/groups`, projectGroup);
      return {
        id: one.id,
        name: one.name || one.id,
        limits: await list("rate limits", `${inside}/rate_limits`, limit),
        roles: await list("roles of projects", `${own}/roles`, role),
        users: await list("members of projects", `${inside}/users`, projectUser),
        groups: await inParallel(theirGroups, async ({ group_id: id, group_name }) => ({
          name: group_name,
          roles: await list("roles of groups in projects", `${own}${at`/groups/${id}`}/roles`, role),
        })),
        serviceAccounts: (await api.list(`${inside}/service_accounts`))?.length ?? 0,
        models: await find(`${inside}/model_permissions`, modelPermissions),
        spendLimit: await find(`${inside}/spend_limit`, spendLimit),
      };
    }),
    odd,
    missing,
  };
}

function isActive({ status, archived_at: archivedAt }: z.output<typeof project>): boolean {
  return status !== "archived" && !archivedAt;
}

/** A path with ids in it. */
function at(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return parts.map((part, index) => part + encodeURIComponent(ids[index] ?? "")).join("");
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(read))));
  return results;
}

const PAGE_LIMIT = 100;
/** More pages than any organization has. */
const MAX_PAGES = 500;
const MAX_TRIES = 6;
/** A server that can't be reached, or doesn't answer in time, is named soon. */
const MAX_UNANSWERED = 2;
const ANSWER_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** The pause before the second try where the server names none, doubled for each further one. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** The lists of OpenAI's Admin API, in all of its forms of pages. */
const page = z.object({
  data: z.array(z.unknown()),
  has_more: z.optional(z.nullable(z.boolean())),
  next: z.optional(z.nullable(z.string())),
  last_id: z.optional(z.nullable(z.string())),
});

/** Reads an organization. Nothing is changed there. */
interface AdminApi {
  /** All items of a list; null where the server has no such list. @throws Refusal 400 for the key, 502. */
  list(path: string): Promise<unknown[] | null>;
  /** One object; null where there is none. @throws as `list`. */
  find(path: string): Promise<unknown>;
}

/** @param server checked before: an untrusted one must be at a public address. */
export function openAdminApi(
  server: { readonly baseUrl: string; readonly isTrusted: boolean },
  key: string,
): AdminApi {
  const connection = new ServerConnection(server, {
    authorization: `Bearer ${key}`,
    accept: "application/json",
  });
  const find = (path: string) => readPatiently(connection, path);
  return { find, list: (path) => readPages(find, path) };
}

async function readPages(find: AdminApi["find"], path: string): Promise<unknown[] | null> {
  const items: unknown[] = [];
  let after: string | null = null;
  for (let count = 0; count < MAX_PAGES; count++) {
    const query = `limit=${PAGE_LIMIT}${after === null ? "" : `&after=${encodeURIComponent(after)}`}`;
    const body = await find(`${path}?${query}`);
    if (body === null && count === 0) return null;
    const read = page.safeParse(body);
    if (!read.success) throw unreadable(path, "answers with something else than a list");
    const { data, has_more: hasMore, next, last_id: lastId } = read.data;
    items.push(...data);
    if (!hasMore) return items;
    const cursor: string | null = next ?? lastId ?? readId(data.at(-1));
    if (cursor === null || cursor === after) throw unreadable(path, "names no next page");
    after = cursor;
  }
  throw unreadable(path, "never ends");
}

function readId(item: unknown): string | null {
  const read = z.object({ id: z.string() }).safeParse(item);
  return read.success ? read.data.id : null;
}

/** Waits where the server is busy. @returns null for 404. */
async function readPatiently(connection: ServerConnection, path: string): Promise<unknown> {
  for (let tried = 1; ; tried++) {
    const answer = await ask(connection, path);
    // A read that broke off is repeated, too: a kept connection may have been closed meanwhile.
    const isBusy = answer.status === null || answer.status === 429 || answer.status >= 500;
    if (isBusy && tried < (answer.status === null ? MAX_UNANSWERED : MAX_TRIES)) {
      await wait(Math.min(LONGEST_PAUSE_MS, answer.retryMs ?? FIRST_PAUSE_MS * 2 ** (tried - 1)));
      continue;
    }
    if (answer.status === null) throw unreadable(path, `can't be read: ${answer.text}`);
    if (answer.status === 404) return null;
    if (answer.status === 401 || answer.status === 403) {
      const mend = "Use an admin key of the organization, with all of its read permissions.";
      throw invalid("admin_key", `The organization's server refuses this key (${answer.status}). ${mend}`);
    }
    if (answer.status >= 300) throw unreadable(path, `answers with status ${answer.status}`);
    const body = parseJson(answer.text);
    if (body === undefined) throw unreadable(path, "answers with something else than JSON");
    return body;
  }
}

async function ask(connection: ServerConnection, path: string) {
  try {
    const send = () => connection.request({ method: "GET", path, headers: {} });
    const { status, text, header } = await askWithin(send, ANSWER_MS, MAX_BYTES);
    return { status, text, retryMs: readRetry(header) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { status: null, text: describeUnanswered(error, "import"), retryMs: null };
  }
}

function readRetry(header: (name: string) => string | null): number | null {
  const ms = Number(header("retry-after-ms") ?? Number(header("retry-after") ?? Number.NaN) * 1000);
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

function unreadable(path: string, what: string): Refusal {
  const message = `${path.split("?")[0]} ${what.replace(/\.$/, "")}. Nothing was planned: check base_url, or try again later.`;
  return new Refusal(502, "service_error", "provider_error", message, { param: "base_url" });
}
