import { newId } from "@/lib/contract/ids";
import type { ModelPermissionsDraft } from "@/lib/contract/operations/projects/model-permissions";
import type { OrganizationChange } from "@/lib/contract/operations/projects/organization";
import type { ProjectChange, ProjectDraft } from "@/lib/contract/operations/projects/projects";
import { foldName } from "@/lib/contract/plain-text";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import { CachedRows, type TableCache } from "../changes/table-cache";
import type { ClockAndRandom } from "../clock";
import { conflict, invalid, notFound, Refusal } from "../refusal";
import type { Organization, OrganizationStore } from "./organization-store.sql";
import type {
  ModelPermissionStore,
  ProjectModelPermissions,
  ProjectRecord,
  ProjectStore,
} from "./project-store.sql";

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

/** The models, with the projects that each is open to; null for every project. */
interface ModelAccess {
  find(id: string): { readonly projects: ReadonlySet<string> | null } | undefined;
}

/** Which models each project may call, in memory. */
export class ModelPermissionCache {
  #byProject = new Map<string, ProjectModelPermissions>();

  constructor(private readonly catalogue: ModelAccess) {}

  /**
   * Whether a project may call a model. Its own list of allowed models decides alone; without one it may call those
   * that are open to it and that it doesn't deny.
   */
  allows(projectId: string, modelId: string): boolean {
    const permissions = this.#byProject.get(projectId);
    if (permissions?.mode === "allow_list") return permissions.modelIds.has(modelId);
    if (permissions?.modelIds.has(modelId)) return false;
    const openTo = this.catalogue.find(modelId)?.projects ?? null;
    return openTo === null || openTo.has(projectId);
  }

  find(projectId: string): ProjectModelPermissions | undefined {
    return this.#byProject.get(projectId);
  }

  following(store: Pick<ModelPermissionStore, "list" | "find">): TableCache {
    return {
      load: async () => {
        const records = await store.list();
        this.#byProject = new Map(records.map((permissions) => [permissions.projectId, permissions]));
      },
      reread: {
        model_permissions: async ({ id }) => {
          const permissions = await store.find(id);
          if (permissions) this.#byProject.set(id, permissions);
          else this.#byProject.delete(id);
        },
      },
    };
  }
}

export interface ModelPermissionContext extends ChangeContext {
  readonly catalogue: { find(id: string): object | undefined };
  readonly modelPermissions: ModelPermissionStore;
  readonly modelPermissionCache: ModelPermissionCache;
  readonly runtime: ClockAndRandom;
}

/** Sets which models a project may call. @throws Refusal 400 for an unknown model. */
export function saveModelPermissions(
  context: ModelPermissionContext,
  request: ChangeRequest,
  projectId: string,
  { mode, model_ids }: ModelPermissionsDraft,
): Promise<ProjectModelPermissions> {
  const { catalogue, modelPermissions, runtime } = context;
  return change(context, request, async (transaction) => {
    for (const [index, id] of model_ids.entries()) {
      if (!catalogue.find(id)) throw invalid(`model_ids.${index}`, `There is no model "${id}".`);
    }
    const permissions = { projectId, mode, modelIds: new Set(model_ids) };
    await modelPermissions.save(transaction, permissions, runtime.clock.nowMs());
    return permissions;
  });
}

/** Removes the restriction, so that the project may call every model again. @throws Refusal 404 if there is none. */
export function deleteModelPermissions(
  context: ModelPermissionContext,
  request: ChangeRequest,
  projectId: string,
): Promise<void> {
  return change(context, request, async (transaction) => {
    findModelPermissions(context.modelPermissionCache, projectId);
    await context.modelPermissions.delete(transaction, projectId);
  });
}

/** @throws Refusal 404 for a project without a restriction. */
export function findModelPermissions(
  cache: ModelPermissionCache,
  projectId: string,
): ProjectModelPermissions {
  const permissions = cache.find(projectId);
  if (permissions) return permissions;
  const message = `The project "${projectId}" has no model permissions: it may call every model.`;
  throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "project_id" });
}
