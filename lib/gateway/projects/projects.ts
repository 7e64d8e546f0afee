import { newId } from "@/lib/contract/ids";
import type { OrganizationChange } from "@/lib/contract/operations/projects/organization";
import type { ProjectChange, ProjectDraft } from "@/lib/contract/operations/projects/projects";
import { foldName } from "@/lib/contract/plain-text";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import { CachedRows, type TableCache } from "../changes/table-cache";
import type { ClockAndRandom } from "../clock";
import { conflict, notFound } from "../refusal";
import type { Organization, OrganizationStore } from "./organization-store.sql";
import type { ProjectRecord, ProjectStore } from "./project-store.sql";

/** The dependencies of the verbs on projects. */
export interface ProjectContext extends ChangeContext {
  readonly projects: ProjectStore;
  readonly runtime: ClockAndRandom;
}

/** All projects in memory, including archived ones, so that a call needs no lookup in the store. */
export class ProjectCache {
  readonly #rows: CachedRows<ProjectRecord>;

  constructor(projects: Iterable<ProjectRecord> = []) {
    this.#rows = new CachedRows(projects);
  }

  find(id: string): ProjectRecord | undefined {
    return this.#rows.find(id);
  }

  /** Oldest first. */
  list(): ProjectRecord[] {
    return this.#rows.list();
  }

  following(store: Pick<ProjectStore, "list" | "find">): TableCache {
    return this.#rows.following("projects", store);
  }
}

/** @throws Refusal 404 when there is no such project. */
export async function findProject(projects: Pick<ProjectStore, "find">, id: string): Promise<ProjectRecord> {
  const project = await projects.find(id);
  if (!project) throw notFound("project", id, "project_id");
  return project;
}

/** @throws Refusal 409 for an archived project: `param` named it. */
export function refuseArchived({ name, archivedAtMs }: ProjectRecord, param = "project_id"): void {
  if (archivedAtMs === null) return;
  const message = `The project "${name}" is archived: nothing in it changes any more. Use another project.`;
  throw conflict(param, message, "project_archived");
}

/** @throws Refusal 409 if another active project has the name, or one that looks like it. */
async function refuseTakenName(projects: ProjectStore, name: string, ownId: string | null): Promise<void> {
  const active = await projects.listActiveNames();
  const namesake = active.find((one) => one.id !== ownId && foldName(one.name) === foldName(name));
  if (!namesake) return;
  throw conflict("name", `There is a project "${namesake.name}" already; give this one another name.`);
}

/** Creates an active project. @throws Refusal 409 if its name is taken. */
export function createProject(
  context: ProjectContext,
  request: ChangeRequest,
  draft: ProjectDraft,
): Promise<ProjectRecord> {
  return change(context, request, async (transaction) => {
    await refuseTakenName(context.projects, draft.name, null);
    const project = newProject(context.runtime, draft);
    await context.projects.insert(transaction, project);
    return project;
  });
}

/** A project that is not stored yet. */
export function newProject(
  { clock, random }: ClockAndRandom,
  { name, hosted_tools }: ProjectDraft,
): ProjectRecord {
  const createdAtMs = clock.nowMs();
  const id = newId("proj", createdAtMs, random);
  return { id, name, createdAtMs, archivedAtMs: null, refusesHostedTools: hosted_tools === "refuse" };
}

/** Changes what is given. @throws Refusal 404; 409 if the name is taken. */
export function changeProject(
  context: ProjectContext,
  request: ChangeRequest,
  id: string,
  { name, hosted_tools }: ProjectChange,
): Promise<ProjectRecord> {
  return change(context, request, async (transaction) => {
    const project = await findProject(context.projects, id);
    if (!name && !hosted_tools) return project;
    if (name) await refuseTakenName(context.projects, name, id);
    const changed = {
      ...project,
      ...(name && { name }),
      ...(hosted_tools && { refusesHostedTools: hosted_tools === "refuse" }),
    };
    await context.projects.save(transaction, changed);
    return changed;
  });
}

/** Archives a project with immediate effect on its keys. Archiving it again changes nothing. @throws Refusal 404. */
export function archiveProject(
  context: ProjectContext,
  request: ChangeRequest,
  id: string,
): Promise<ProjectRecord> {
  const { projects, runtime } = context;
  return change(context, request, async (transaction) => {
    const project = await findProject(projects, id);
    if (project.archivedAtMs !== null) return project;
    const archivedAtMs = runtime.clock.nowMs();
    await projects.archive(transaction, id, archivedAtMs);
    return { ...project, archivedAtMs };
  });
}

export interface OrganizationContext extends ChangeContext {
  readonly organizations: Pick<OrganizationStore, "update">;
  /** The organization's copy in memory, which follows each committed change. */
  readonly organization: Organization;
}

/** Changes the fields that are named. */
export function changeOrganization(
  context: OrganizationContext,
  request: ChangeRequest,
  draft: OrganizationChange,
): Promise<Organization> {
  return change(context, request, async (transaction) => {
    const { id, currency, ...before } = context.organization;
    const fields = {
      name: draft.name ?? before.name,
      logo: draft.logo === undefined ? before.logo : draft.logo,
      time_zone: draft.time_zone === undefined ? before.time_zone : draft.time_zone,
      number_format: draft.number_format ?? before.number_format,
    };
    await context.organizations.update(transaction, id, fields);
    return { id, currency, ...fields };
  });
}

/** Keeps the organization in memory up to date. */
export function followOrganization(
  organization: Organization,
  store: Pick<OrganizationStore, "find">,
): TableCache {
  const load = async () => {
    Object.assign(organization, await store.find());
  };
  return { load, reread: { organizations: load } };
}
