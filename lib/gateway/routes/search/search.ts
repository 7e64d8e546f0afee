import type { Permission } from "@/lib/contract/access/permissions";
import { redactKey } from "@/lib/contract/access/secret-keys";
import { rateLimitId } from "@/lib/contract/ids";
import { MAX_RESULTS_PER_KIND, type SearchResult } from "@/lib/contract/operations/search/search";
import { foldName } from "@/lib/contract/plain-text";
import { listVisibleProjects } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { KeyCache } from "../../keys/key-cache";
import type { Catalogue } from "../../models/catalogue";
import type { ProviderDirectory } from "../../models/providers/provider-directory";
import type { GroupCache } from "../../people/groups";
import type { UserCache } from "../../people/members";
import type { ProjectRecord } from "../../projects/project-store.sql";
import type { ProjectCache } from "../../projects/projects";
import type { PromptStore } from "../../prompts/prompt-store.sql";
import type { AccessGraph } from "../../roles/access-graph";
import { listRoles } from "../../roles/roles";
import type { Handlers } from "../handler";

interface Context {
  readonly graph: AccessGraph;
  readonly projectCache: ProjectCache;
  readonly userCache: UserCache;
  readonly groupCache: GroupCache;
  readonly keyCache: KeyCache;
  readonly catalogue: Catalogue;
  readonly directory: ProviderDirectory;
  readonly prompts: Pick<PromptStore, "pages">;
}

type Found = Pick<SearchResult, "kind" | "id" | "name"> & Partial<Pick<SearchResult, "detail" | "project">>;

/** Prompts' names are stored encrypted, so that they are read rather than kept in memory. */
const PROMPTS_PER_READ = 500;
const MAX_PROMPTS = 10_000;

export function searchRoutes(context: Context): Handlers<"searchObjects"> {
  return {
    searchObjects: async ({ query: { text, project_id }, caller }) => {
      const listed = [
        ...listOrganizationObjects(context, caller),
        listProjects(context, caller, "api.projects.read").map(toProject),
        listProjectKeys(context, caller),
        listRateLimits(context, caller, project_id),
        await listPrompts(context, caller),
      ];
      const found = listed.flatMap((objects) =>
        rankMatches(objects, text, ({ name, id, detail }) => [name, id, detail ?? ""], MAX_RESULTS_PER_KIND),
      );
      return { object: "list", data: found.map(toResult) };
    },
  };
}

const toResult = ({ kind, id, name, detail = null, project = null }: Found): SearchResult => ({
  object: "search_result",
  kind,
  id,
  name,
  detail,
  project,
});

const toProject = ({ id, name }: ProjectRecord): Found => ({ kind: "project", id, name });

/** Lists for each kind what the caller may read in the organization. */
function listOrganizationObjects(context: Context, caller: Caller): Found[][] {
  const held = caller.permissionsIn(null);
  const ifHeld = (permission: Permission, list: () => Found[]) => (held.has(permission) ? list() : []);
  const { graph, userCache, groupCache, keyCache, catalogue, directory } = context;
  return [
    ifHeld("api.users.read", () =>
      userCache.list().map(({ id, name, email }) => ({ kind: "member", id, name, detail: email })),
    ),
    ifHeld("api.groups.read", () => groupCache.list().map(({ id, name }) => ({ kind: "group", id, name }))),
    ifHeld("api.roles.read", () =>
      listRoles(graph, null).map(({ id, name }) => ({ kind: "role", id, name })),
    ),
    ifHeld("api.models.read", () => catalogue.list().map(({ id }) => ({ kind: "model", id, name: id }))),
    ifHeld("api.providers.read", () =>
      directory.list().map(({ id }) => ({ kind: "provider", id, name: id })),
    ),
    ifHeld("api.admin_api_keys.read", () =>
      keyCache.list().flatMap(({ kind, key: { id, name, lastFour } }): Found[] => {
        const detail = redactKey("gk_admin_", lastFour);
        return kind === "admin_key" ? [{ kind: "admin_api_key", id, name, detail }] : [];
      }),
    ),
  ];
}

/** The active projects in which the caller holds a permission, oldest first. */
function listProjects({ graph, projectCache }: Context, caller: Caller, permission: Permission) {
  const ids = listVisibleProjects(graph, caller, permission);
  const visible = ids && new Set(ids);
  return projectCache
    .list()
    .filter(({ id, archivedAtMs }) => archivedAtMs === null && (visible === null || visible.has(id)));
}

function listProjectKeys(context: Context, caller: Caller): Found[] {
  const projects = byId(listProjects(context, caller, "api.project_api_keys.read"));
  return context.keyCache.list().flatMap((active): Found[] => {
    if (active.kind !== "project_key") return [];
    const { id, name, lastFour, projectId } = active.key;
    const project = projects.get(projectId);
    if (!project) return [];
    return [{ kind: "project_api_key", id, name, detail: redactKey("gk_live_", lastFour), project }];
  });
}

/** The limits of a project for every model; none without a project. */
function listRateLimits(context: Context, caller: Caller, projectId: string | undefined): Found[] {
  const project = listProjects(context, caller, "api.rate_limits.read").find(({ id }) => id === projectId);
  if (!project) return [];
  const { id, name } = project;
  return context.catalogue.list().map((model) => ({
    kind: "rate_limit",
    id: rateLimitId(model.id),
    name: model.id,
    project: { id, name },
  }));
}

/** The newest prompts that are shared with the caller, or that are their own. */
async function listPrompts(context: Context, caller: Caller): Promise<Found[]> {
  const projects = byId(listProjects(context, caller, "api.prompts.read"));
  if (projects.size === 0) return [];
  const pages = context.prompts.pages([...projects.keys()], caller.keyId);
  const found: Found[] = [];
  for (let after: string | undefined; found.length < MAX_PROMPTS; ) {
    const heads = await pages.read({ after, limit: PROMPTS_PER_READ });
    for (const { id, name, projectId } of heads) {
      const project = projects.get(projectId) ?? null;
      if (name !== null) found.push({ kind: "prompt", id, name, project });
    }
    if (heads.length < PROMPTS_PER_READ) break;
    after = heads.at(-1)?.id;
  }
  return found;
}

const byId = (projects: readonly ProjectRecord[]) =>
  new Map(projects.map(({ id, name }) => [id, { id, name }]));

/** What an object is found by: its name first, then its id and whatever else names it. */
type Words = readonly [name: string, ...others: string[]];

/**
 * Returns the items that `text` names, at most `max`: exact matches first, then those that begin with it, then those
 * with a word that begins with it, then all others that contain it, each in the order of `items`. Ignores case and
 * forms of characters.
 */
export function rankMatches<Item>(
  items: Iterable<Item>,
  text: string,
  toWords: (item: Item) => Words,
  max: number,
): Item[] {
  const searched = foldName(text);
  const ranked: Item[][] = [[], [], [], []];
  for (const item of items) {
    const rank = Math.min(...toWords(item).map((word) => rankWord(foldName(word), searched)));
    const found = ranked[rank];
    if (found && found.length < max) found.push(item);
  }
  return ranked.flat().slice(0, max);
}

/** 0 is the closest; 4 is no match. */
function rankWord(word: string, searched: string): number {
  const at = word.indexOf(searched);
  if (at === -1) return 4;
  if (word === searched) return 0;
  if (at === 0) return 1;
  return /[\p{L}\p{N}]/u.test(word.charAt(at - 1)) ? 3 : 2;
}
