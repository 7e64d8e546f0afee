import type { Permission } from "@/lib/contract/access/permissions";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { OperationId } from "@/lib/contract/operation-table";
import type { ConfigurationPart } from "@/lib/contract/operations/configuration/configuration";
import type { ClockAndRandom } from "../clock";
import type { ConfigurationFile } from "../configuration/configuration";
import type { SpendAlertCache } from "../ledger/spend-limits/spend-alerts";
import type { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import type { Catalogue } from "../models/catalogue";
import type { ProviderDirectory } from "../models/providers/provider-directory";
import type { GroupCache } from "../people/groups";
import type { InviteRecord } from "../people/invite-store.sql";
import type { UserCache } from "../people/members";
import type { ProjectRecord } from "../projects/project-store.sql";
import type { ModelPermissionCache, ProjectCache } from "../projects/projects";
import type { LimitPlanCache, RateLimitCache } from "../rate-limits/rate-limits";
import { invalid } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";

/** What is set now, as a section reads it. */
export interface SettingsView {
  readonly organization: { readonly currency: string };
  readonly defaultRateLimits: RateLimitValues;
  readonly projectCache: ProjectCache;
  readonly catalogue: Catalogue;
  readonly directory: ProviderDirectory;
  readonly graph: AccessGraph;
  readonly groupCache: GroupCache;
  readonly userCache: UserCache;
  /** The invited people who haven't joined yet. */
  readonly invited: readonly InviteRecord[];
  readonly rateLimitCache: RateLimitCache;
  readonly limitPlanCache: LimitPlanCache;
  readonly modelPermissionCache: ModelPermissionCache;
  readonly spendTracker: Pick<SpendTracker, "find">;
  readonly spendAlertCache: SpendAlertCache;
  readonly runtime: ClockAndRandom;
}

/** JSON values by name. One that is absent has its default, or is not said. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object that a file declares, or that there is. */
export interface DeclaredObject {
  /** The part, its name, and where it is inside of another, the place and its name there. */
  readonly path: readonly string[];
  readonly fields: Fields;
  /** The names of the secrets that it is created with. */
  readonly secrets?: readonly string[] | undefined;
}

/** A change of one object. `fields` are those that change. */
export interface ObjectChange {
  readonly path: readonly string[];
  readonly kind: "create" | "update" | "remove";
  readonly fields: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
  readonly secrets?: readonly string[] | undefined;
}

/** An operation as a client calls it. */
export interface OperationCall {
  readonly id: OperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A file that is being written. */
export type FileDraft = { -readonly [Part in keyof ConfigurationFile]: ConfigurationFile[Part] };

/** A file that was read or composed, or all faults of what it is made of. */
export type FileOrFaults = { readonly file: ConfigurationFile } | { readonly faults: readonly string[] };

/** One kind of object of the file: how it is read, written and changed. */
export interface Section {
  readonly part: Exclude<ConfigurationPart, "defaults" | "retention">;
  /** The field inside of the part's objects; null for the objects themselves. */
  readonly inside: string | null;
  /** The permissions to see it, besides that to see projects for what is inside of them. */
  readonly reads: readonly Permission[];
  /** Whether an object that isn't named has its defaults, rather than not being there. */
  readonly isImplicit: boolean;
  /** Adds what there is to a file. */
  write(view: SettingsView, file: FileDraft): void;
  /** The objects that a file declares. @throws Refusal for one that refers to an unknown object. */
  declare(file: ConfigurationFile, view: SettingsView): DeclaredObject[];
  /** Whether the file says all about objects at a place, so that one that it doesn't name is to go. */
  covers(file: ConfigurationFile): (path: readonly string[]) => boolean;
  /**
   * The operations that make a change, in their order. Each is performed before the next one is asked for.
   * @param readSecret the value of a secret. @throws Refusal for a change that no operation makes.
   */
  calls(
    view: SettingsView,
    change: ObjectChange,
    readSecret: (name: string) => string,
  ): Iterable<OperationCall>;
  /** The operation that makes many changes at once, where there is one. @throws Refusal as `calls` does. */
  together?(view: SettingsView, changes: readonly ObjectChange[]): OperationCall;
}

/** What is compared or written before other requests are served: a few milliseconds. */
const WORKED_AT_ONCE = 200;

/** The items of a long list, between which other requests are served. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0;
  for (const item of items) {
    if (++count % WORKED_AT_ONCE === 0) await new Promise(setImmediate);
    yield item;
  }
}

/** A place as an id. */
export function toChangeId(path: readonly string[]): string {
  return path.map(encodeURIComponent).join("/");
}

/** The first permission that reading a section lacks; undefined if none. */
export function findLackedRead(
  { part, reads }: Section,
  held: ReadonlySet<Permission>,
): Permission | undefined {
  const needed = part === "projects" ? (["api.projects.read", ...reads] as const) : reads;
  return needed.find((permission) => !held.has(permission));
}

/** Whether an object belongs to the section. */
export function holds({ part, inside }: Section, path: readonly string[]): boolean {
  const place = part === "organization" ? path[1] : path[2];
  return path[0] === part && (place ?? null) === inside;
}

/** The values that the change's fields get. */
export function after({ fields }: ObjectChange): Fields {
  return Object.fromEntries(fields.map((field) => [field.name, field.after]));
}

/** @throws Refusal 400 for a field whose value no operation changes. */
export function refuseFixed(change: ObjectChange, fixed: readonly string[], mend: string): void {
  const field = change.fields.find(({ name }) => fixed.includes(name));
  if (field)
    throw invalid(field.name, `${field.name} of "${change.path.at(-1)}" can't be changed here: ${mend}.`);
}

/** The active project of this name or id. @throws Refusal 400. */
export function findNamedProject({ projectCache }: SettingsView, name: string): ProjectRecord {
  const project = listActiveProjects(projectCache).find((one) => one.name === name || one.id === name);
  if (!project) throw invalid("projects", `There is no project "${name}".`);
  return project;
}

/** The projects of which a file says all of one kind that is inside of them. */
export function coversInside(inside: "rate_limits" | "roles"): Section["covers"] {
  return ({ projects = [] }) => {
    const names = new Set(projects.filter((one) => one[inside] !== undefined).map(({ name }) => name));
    return ([, name = ""]) => names.has(name);
  };
}

export function listActiveProjects(projectCache: ProjectCache): ProjectRecord[] {
  return projectCache.list().filter(({ archivedAtMs }) => archivedAtMs === null);
}

/** The project's entry in a file that is written. */
export function projectIn(file: FileDraft, name: string): NonNullable<FileDraft["projects"]>[number] {
  const projects = file.projects ?? [];
  file.projects = projects;
  const found = projects.find((one) => one.name === name);
  if (found) return found;
  const made = { name };
  projects.push(made);
  return made;
}
