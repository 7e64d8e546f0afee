import { type RateLimitValues, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { rateLimitId } from "@/lib/contract/ids";
import type { DeclaredProject } from "../../configuration/declared-objects";
import {
  after,
  coversInside,
  type DeclaredObject,
  type Fields,
  findNamedProject,
  listActiveProjects,
  type ObjectChange,
  projectIn,
  type Section,
  toChangeId,
} from "../section";

/** The projects themselves. One that the file leaves out is archived. */
export const projects: Section = {
  part: "projects",
  inside: null,
  reads: ["api.projects.read"],
  isImplicit: false,
  write({ projectCache }, file) {
    file.projects = listActiveProjects(projectCache).map(({ name }) => ({ name }));
  },
  declare: ({ projects: declared = [] }) =>
    declared.map(({ name }) => ({ path: ["projects", name], fields: {} })),
  covers: (file) => () => file.projects !== undefined,
  calls(view, { kind, path: [, name = ""] }) {
    if (kind === "create") return [{ id: "createProject", body: { name } }];
    return [{ id: "archiveProject", params: { project_id: findNamedProject(view, name).id } }];
  },
};

/** What becomes of tools that a provider would run without a price. */
export const hostedTools: Section = {
  part: "projects",
  inside: "hosted_tools",
  reads: ["api.projects.read"],
  isImplicit: true,
  write({ projectCache }, file) {
    for (const { name, refusesHostedTools } of listActiveProjects(projectCache))
      if (refusesHostedTools) projectIn(file, name).hosted_tools = "refuse";
  },
  declare: ({ projects: declared = [] }) =>
    declared.flatMap(({ name, hosted_tools }) => {
      const fields = hosted_tools === "refuse" ? { hosted_tools } : {};
      return hosted_tools === undefined ? [] : [{ path: ["projects", name, "hosted_tools"], fields }];
    }),
  covers: () => () => false,
  calls(view, change) {
    const params = { project_id: findNamedProject(view, change.path[1] ?? "").id };
    const { hosted_tools } = after(change);
    return [{ id: "changeProject", params, body: { hosted_tools: hosted_tools ?? "leave_out" } }];
  },
};

/** The models that each project may call. */
export const modelAccess: Section = {
  part: "projects",
  inside: "models",
  reads: ["api.model_permissions.read"],
  isImplicit: true,
  write({ projectCache, modelPermissionCache }, file) {
    for (const { id, name } of listActiveProjects(projectCache)) {
      const permissions = modelPermissionCache.find(id);
      const list = [...(permissions?.modelIds ?? [])].toSorted();
      if (permissions)
        projectIn(file, name).models = permissions.mode === "allow_list" ? list : { all_but: list };
    }
  },
  declare: ({ projects: declared = [] }) =>
    declared.flatMap(({ name, models }) =>
      models === undefined ? [] : [{ path: ["projects", name, "models"], fields: toAccess(models) }],
    ),
  covers: () => () => false,
  calls(view, change) {
    const params = { project_id: findNamedProject(view, change.path[1] ?? "").id };
    const { models = null } = after(change) as { models?: string[] | { all_but: string[] } | null };
    if (models === null) return [{ id: "deleteModelPermissions", params }];
    const body = Array.isArray(models)
      ? { mode: "allow_list", model_ids: models }
      : { mode: "deny_list", model_ids: models.all_but };
    return [{ id: "saveModelPermissions", params, body }];
  },
};

function toAccess(models: NonNullable<DeclaredProject["models"]>): Fields {
  if (models === "all") return {};
  return { models: "all_but" in models ? { all_but: models.all_but.toSorted() } : models.toSorted() };
}

/** In the place of null, which stands for a default. */
const NO_LIMIT = "no limit";

/** The limits of each project and model that were set by hand. */
export const rateLimits: Section = {
  part: "projects",
  inside: "rate_limits",
  reads: ["api.rate_limits.read"],
  isImplicit: true,
  write({ projectCache, catalogue, rateLimitCache }, file) {
    const models = catalogue.list();
    for (const { id, name } of listActiveProjects(projectCache)) {
      const limits = models.map((model) => [model.id, rateLimitCache.ownLimits(id, model.id)] as const);
      const set = limits.filter(([, own]) => Object.keys(own).length > 0);
      if (set.length > 0) projectIn(file, name).rate_limits = Object.fromEntries(set);
    }
  },
  declare: ({ projects: declared = [] }) =>
    declared.flatMap(({ name, rate_limits: limits = {} }) =>
      Object.entries(limits).map(
        ([model, values]): DeclaredObject => ({
          path: ["projects", name, "rate_limits", model],
          fields: toLimits(values),
        }),
      ),
    ),
  covers: coversInside("rate_limits"),
  calls(view, change) {
    const [, project = "", , modelId = ""] = change.path;
    const params = { project_id: findNamedProject(view, project).id, rate_limit_id: rateLimitId(modelId) };
    return [{ id: "saveRateLimit", params, body: toEdit(change) }];
  },
  together(view, changes) {
    const edits = new Map<string, object>();
    for (const change of changes) {
      const [, project = "", , model = ""] = change.path;
      const id = toChangeId(change.path);
      const earlier = edits.get(id) ?? { project_id: findNamedProject(view, project).id, model };
      edits.set(id, { ...earlier, ...toEdit(change) });
    }
    return { id: "createRateLimitChanges", body: { changes: [...edits.values()] } };
  },
};

export function toEdit({ fields }: ObjectChange): Fields {
  return Object.fromEntries(
    fields.map(({ name, after: value }) => [name, value === NO_LIMIT ? null : (value ?? "default")]),
  );
}

export function toLimits(values: Partial<RateLimitValues>): Fields {
  const set = rateLimitFields.flatMap((field) => {
    const value = values[field];
    return value === undefined ? [] : [[field, value ?? NO_LIMIT] as const];
  });
  return Object.fromEntries(set);
}
