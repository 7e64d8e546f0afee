import { roleWord } from "@/lib/contract/access/role-words";
import { parseJson } from "@/lib/contract/json-value";
import { emailAddress } from "@/lib/contract/schema";
import type { DeclaredMember } from "../configuration/declared-objects";
import { listRoles } from "../roles/roles";
import type { Scope } from "../scope";
import { type FileDraft, type FileOrFaults, listActiveProjects, type SettingsView } from "./section";
import { members } from "./sections/members";

/** A record of a CSV by its columns. */
export interface CsvCells {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

type Edited = { -readonly [Field in keyof DeclaredMember]: DeclaredMember[Field] };

/**
 * Members of a CSV over those that there are. Cells hold lists such as `Leads; Testers` and, for projects,
 * `Support bot: Testers; Search: Project member`; `none` empties one. Roles are named by name, id or word.
 */
export function overlayMembers(view: SettingsView, table: readonly CsvCells[]): FileOrFaults {
  const faults: string[] = [];
  const file: FileDraft = {};
  members.write(view, file);
  const byEmail = new Map((file.members ?? []).map((member): [string, Edited] => [member.email, member]));
  const lines = new Map<string, number>();
  for (const { line, cells } of table) {
    const email = (cells.email ?? "").toLowerCase();
    const earlier = lines.get(email);
    const fault = (what: string) => faults.push(`line ${line}: ${what}`);
    if (!emailAddress.safeParse(email).success) fault(`"${cells.email ?? ""}" is no email address`);
    else if (earlier !== undefined) fault(`${email} stands at line ${earlier} already`);
    else byEmail.set(email, editMember(view, byEmail.get(email) ?? { email }, cells, fault));
    lines.set(email, line);
  }
  return faults.length > 0 ? { faults } : { file: { members: [...byEmail.values()] } };
}

function editMember(
  view: SettingsView,
  member: Edited,
  cells: CsvCells["cells"],
  fault: (what: string) => void,
): Edited {
  const toRoles = (names: readonly string[], scope: Scope) =>
    names.flatMap((name) => findRoleName(view, name, scope) ?? (fault(`there is no role "${name}"`), []));
  const edited = { ...member };
  const roles = readList(cells.roles || cells.role || "");
  if (roles) edited.roles = toRoles(roles, null);
  if (!roles && !edited.roles?.length && !view.userCache.findByEmail(member.email))
    fault(`${member.email} is invited with a role: name one`);
  const groups = readList(cells.groups ?? "");
  const names = new Set(view.groupCache.list().map(({ name }) => name));
  for (const name of groups ?? []) if (!names.has(name)) fault(`there is no group "${name}"`);
  if (groups) edited.groups = groups;
  const places = readList(cells.projects ?? "");
  if (!places) return edited;
  const held: Record<string, string[]> = {};
  for (const place of places) {
    const at = place.lastIndexOf(":");
    const [name, role] = at < 0 ? [place, "member"] : [place.slice(0, at).trim(), place.slice(at + 1).trim()];
    const project = listActiveProjects(view.projectCache).find((one) => one.name === name || one.id === name);
    if (project) held[project.name] = [...(held[project.name] ?? []), ...toRoles([role], project.id)];
    else fault(`there is no project "${name}"`);
  }
  edited.projects = held;
  return edited;
}

/** The name of a role that is named by name, id or word. */
function findRoleName({ graph }: SettingsView, named: string, scope: Scope): string | undefined {
  const folded = named.toLowerCase();
  const isIt = ({ id, name }: { id: string; name: string }) =>
    id === named || name === named || roleWord(id) === folded || name.toLowerCase() === folded;
  return listRoles(graph, scope).find(isIt)?.name;
}

/** Undefined for an empty cell. Exports write lists as JSON. */
function readList(text: string): string[] | undefined {
  if (text === "") return undefined;
  if (/^none$/i.test(text)) return [];
  const json = text.startsWith("[") ? parseJson(text) : undefined;
  const parts = Array.isArray(json) ? json.map(String) : text.split(/[;\n]/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
