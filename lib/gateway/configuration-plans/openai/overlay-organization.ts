import { permissions as known, type Permission } from "@/lib/contract/access/permissions";
import { predefinedRoleNames } from "@/lib/contract/access/predefined-role-names";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { emailAddress } from "@/lib/contract/schema";
import { formatAmount, NANO_PER_CENT, toNano } from "@/lib/money/amount";
import type { ConfigurationFile } from "../../configuration/configuration";
import type { DeclaredMember, DeclaredProject } from "../../configuration/declared-objects";
import { type FileDraft, findLackedRead, listActiveProjects, projectIn, type SettingsView } from "../section";
import { sections } from "../sections/sections";
import type { TheirOrganization, TheirProject, TheirRole } from "./read-organization";

interface Left {
  readonly what: string;
  readonly reason: string;
}

/** An import's result: the present state, overlaid with the imported organization. */
interface Import {
  readonly view: SettingsView;
  readonly file: FileDraft;
  readonly left: Left[];
}

const written = new Set(["projects", "roles", "groups", "members"]);

/** The first permission that the importer lacks for reading the present state; undefined if they have all. */
export function findLackedImportRead(held: ReadonlySet<Permission>): Permission | undefined {
  const lacked = sections.map((section) => written.has(section.part) && findLackedRead(section, held));
  return lacked.find((one) => one !== false && one !== undefined) || undefined;
}

/**
 * A file of what there is with another organization over it: their limits, roles and groups take the place of ours of
 * the same name, and members get what they have there besides what they have here.
 */
export function overlayOrganization(
  view: SettingsView,
  theirs: TheirOrganization,
): { readonly file: ConfigurationFile; readonly noCounterpart: Left[] } {
  const file: FileDraft = {};
  for (const section of sections) if (written.has(section.part)) section.write(view, file);
  const into: Import = { view, file, left: [] };
  for (const role of theirs.roles)
    if (!role.predefined_role) file.roles = putRole(into, file.roles, role, null);
  for (const project of theirs.projects) putProject(into, project);
  putGroups(into, theirs);
  putMembers(into, theirs);
  noteUnread(into, theirs);
  return { file, noCounterpart: into.left };
}

/** Adds a role of the organization's own or of a project's, as far as its permissions are known here. */
function putRole(
  { left }: Import,
  roles: ConfigurationFile["roles"] = [],
  { name, description, permissions }: TheirRole,
  project: string | null,
): NonNullable<ConfigurationFile["roles"]> {
  const what = project === null ? `Role ${name}` : `Role ${name} in ${project}`;
  const held = known.filter((permission) => permissions.includes(permission));
  const unknown = permissions.filter((permission) => !held.some((one) => one === permission));
  if (unknown.length > 0) left.push({ what, reason: `There is no permission ${unknown.join(", ")} here.` });
  if (held.length === 0) return roles;
  const role = { name, ...(description && { description }), permissions: held };
  return [...roles.filter((one) => one.name !== name), role];
}

function putProject(into: Import, theirs: TheirProject): void {
  const { view, file, left } = into;
  const existing = listActiveProjects(view.projectCache).find(({ name }) => name === theirs.name);
  const project: DeclaredProject = projectIn(file, theirs.name);
  for (const role of theirs.roles)
    if (!role.predefined_role) project.roles = putRole(into, project.roles, role, theirs.name) as never;
  for (const limits of theirs.limits) putLimits(into, project, { id: existing?.id, limits });
  if (theirs.models) putModels(into, project, theirs.models);
  const { spendLimit } = theirs;
  if (spendLimit && spendLimit.currency.toUpperCase() !== view.organization.currency)
    left.push({
      what: `Spend limit of ${theirs.name}`,
      reason: `It is in ${spendLimit.currency}, and this organization's currency is ${view.organization.currency}.`,
    });
  else if (spendLimit)
    project.spend_limit = formatAmount(toNano(BigInt(spendLimit.threshold_amount) * NANO_PER_CENT));
  if (theirs.serviceAccounts > 0)
    left.push({
      what: `Service accounts of ${theirs.name}: ${theirs.serviceAccounts}`,
      reason: "Their keys can't be read: make new ones in the project.",
    });
}

/** The limits of a model that differ from what it has in the project, or would have in a new one. */
function putLimits(
  { view, left }: Import,
  project: DeclaredProject,
  { id, limits }: { readonly id: string | undefined; readonly limits: Readonly<Record<string, unknown>> },
): void {
  const named = String(limits.model);
  const model = view.catalogue.find(named);
  if (!model) {
    const what = `Limits of ${named}`;
    if (!left.some((one) => one.what === what))
      left.push({ what, reason: "There is no such model here: add it, and import again." });
    return;
  }
  const present = id === undefined ? model.defaultRateLimits : view.rateLimitCache.effectiveLimits(id, model);
  const set = rateLimitFields.flatMap((field) => {
    const value = limits[field];
    const isLimit = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
    return isLimit && value !== present[field] ? [[field, value] as const] : [];
  });
  if (set.length === 0) return;
  const own = { ...project.rate_limits?.[model.id], ...Object.fromEntries(set) };
  project.rate_limits = { ...project.rate_limits, [model.id]: own };
}

function putModels(
  { view, left }: Import,
  project: DeclaredProject,
  { mode, model_ids }: NonNullable<TheirProject["models"]>,
): void {
  const ids = model_ids.filter((id) => view.catalogue.find(id));
  const unknown = model_ids.filter((id) => !ids.includes(id));
  if (unknown.length > 0)
    left.push({
      what: `Models of ${project.name}: ${unknown.join(", ")}`,
      reason: "There are no such models here: add them, and import again.",
    });
  if (ids.length > 0) project.models = mode === "allow_list" ? ids : { all_but: ids };
}

function putGroups({ file }: Import, { groups, projects }: TheirOrganization): void {
  for (const { name, roles } of groups) {
    const existing = file.groups?.find((group) => group.name === name);
    const held = projects.flatMap((project) => {
      const own = project.groups.find((group) => group.name === name)?.roles ?? [];
      const names = own.map((role) => nameRole(role, "project"));
      return names.length > 0 ? [[project.name, names] as const] : [];
    });
    const group = {
      name,
      roles: roles.map((role) => nameRole(role, "organization")),
      projects: {
        ...existing?.projects,
        ...Object.fromEntries(held.map(([project, names]) => [project, [...names]])),
      },
    };
    file.groups = [...(file.groups ?? []).filter((one) => one.name !== name), group];
  }
}

/** Our names for the values of OpenAI's `role` fields. */
const wordNames: Readonly<Record<"organization" | "project", Readonly<Record<string, string>>>> = {
  organization: { owner: predefinedRoleNames.role_owner, reader: predefinedRoleNames.role_reader },
  project: {
    owner: predefinedRoleNames.role_project_owner,
    member: predefinedRoleNames.role_project_member,
  },
};

function nameRole(role: TheirRole, place: "organization" | "project"): string {
  const word = role.name.toLowerCase().split(" ").at(-1) ?? "";
  return (role.predefined_role && wordNames[place][word]) || role.name;
}

/** The role of a `role` field: a word, or the id of one of theirs. */
function nameWord(
  word: string | null | undefined,
  place: "organization" | "project",
  roles: readonly TheirRole[],
): string | undefined {
  const own = roles.find(({ id, name }) => id === word || name === word);
  return own ? nameRole(own, place) : wordNames[place][word ?? ""];
}

/** Whom an import brings, by their address. */
interface Person {
  readonly roles: Set<string>;
  readonly groups: Set<string>;
  readonly projects: Map<string, Set<string>>;
}

function putMembers(into: Import, theirs: TheirOrganization): void {
  const people = gatherPeople(into, theirs);
  const { file, left, view } = into;
  for (const [email, person] of people) {
    const existing = file.members?.find((member) => member.email === email);
    const isMember = view.userCache.findByEmail(email) !== undefined;
    // An invitation gives one role in each place.
    const first = (names: Iterable<string>, where: string): string[] => {
      const [one = "", ...others] = names;
      if (others.length > 0)
        left.push({
          what: `${others.join(", ")} of ${email}${where}`,
          reason: "An invitation gives one role in each place: give it once they have joined.",
        });
      return [one];
    };
    const choose = (names: Iterable<string>, where: string) => (isMember ? [...names] : first(names, where));
    const held: Record<string, string[]> = {};
    for (const [project, names] of person.projects)
      held[project] = union(isMember ? existing?.projects?.[project] : [], choose(names, ` in ${project}`));
    const member: DeclaredMember = {
      email,
      roles: union(isMember ? existing?.roles : [], choose(person.roles, "")),
      groups: union(existing?.groups, [...person.groups]),
      projects: { ...existing?.projects, ...held },
    };
    file.members = [...(file.members ?? []).filter((one) => one.email !== email), member];
  }
}

const union = (one: readonly string[] = [], other: readonly string[]) => [...new Set([...one, ...other])];

function gatherPeople({ left }: Import, theirs: TheirOrganization): Map<string, Person> {
  const people = new Map<string, Person>();
  const add = (email: string, role: string) => {
    const person = { roles: new Set([role]), groups: new Set<string>(), projects: new Map() };
    people.set(email.toLowerCase(), person);
  };
  const emails = new Map<string, string>();
  for (const { id, email, role, roles, is_service_account: isService } of theirs.users) {
    if (isService) continue;
    if (!emailAddress.safeParse(email).success)
      left.push({ what: `Member ${id}`, reason: "They have no email address there." });
    if (!email || !emailAddress.safeParse(email).success) continue;
    emails.set(id, email.toLowerCase());
    add(email, nameWord(role, "organization", theirs.roles) ?? wordNames.organization.reader ?? "");
    for (const one of roles) people.get(email.toLowerCase())?.roles.add(nameRole(one, "organization"));
  }
  for (const { email, role, status, projects } of theirs.invites) {
    if (status !== "pending" || people.has(email.toLowerCase())) continue;
    add(email, nameWord(role, "organization", theirs.roles) ?? wordNames.organization.reader ?? "");
    for (const { id, role: own } of projects ?? []) {
      const project = theirs.projects.find((one) => one.id === id);
      const name = project && nameWord(own, "project", project.roles);
      if (name) people.get(email.toLowerCase())?.projects.set(project.name, new Set([name]));
    }
  }
  for (const { name, users } of theirs.groups)
    for (const { id, email } of users)
      people.get(emails.get(id) ?? email?.toLowerCase() ?? "")?.groups.add(name);
  for (const project of theirs.projects)
    for (const { id, email, role } of project.users) {
      const person = people.get(emails.get(id) ?? email?.toLowerCase() ?? "");
      const name = nameWord(role, "project", project.roles);
      if (person && name) person.projects.set(project.name, new Set([name]));
    }
  return people;
}

/** Notes what an import never brings, and what the server left out or the gateway can't read. */
function noteUnread({ left }: Import, { odd, missing }: TheirOrganization): void {
  for (const [what, count] of odd)
    left.push({
      what: `${capitalize(what)}: ${count}`,
      reason: "The server's answer about them isn't understood.",
    });
  for (const what of missing) left.push({ what: capitalize(what), reason: "The server has no such list." });
  left.push({
    what: "API keys, certificates, data retention",
    reason: "They aren't part of an import. Keys can't be read: make new ones in each project.",
  });
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
