import { roleWord } from "@/lib/contract/access/role-words";
import {
  editLimits,
  type RateLimitField,
  rateLimitFields,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";
import { type CsvRow, parseCsv } from "@/lib/contract/csv";
import { parseJson } from "@/lib/contract/json-value";
import type { LimitEdit } from "@/lib/contract/operations/models/rate-limits";
import { emailAddress } from "@/lib/contract/schema";
import { parseAmount } from "@/lib/money/amount";
import type { DeclaredMember } from "../configuration/declared-objects";
import { listRoles } from "../roles/roles";
import type { Scope } from "../scope";
import { type FileDraft, type FileOrFaults, listActiveProjects, type SettingsView } from "./section";
import { members } from "./sections/members";
import { models } from "./sections/models";
import { projects, rateLimits } from "./sections/projects";

/**
 * Makes a file of what there is with the cells of a CSV over it: of limits, of models with their prices or of members,
 * in the columns of their exports. An empty cell and one that says what there is change nothing; rows and columns that
 * it doesn't have stay as they are.
 */
export function overlayCsv(view: SettingsView, text: string): FileOrFaults {
  const { rows, brokenLine } = parseCsv(text);
  const [head, ...body] = rows;
  if (brokenLine !== null) return { faults: [`line ${brokenLine}: a quote isn't closed`] };
  if (!head || body.length === 0) return { faults: ["The CSV has no rows below its line of columns"] };
  const columns = head.cells.map((cell) => cell.trim());
  const table = body.map((row) => ({ line: row.line, cells: toCells(columns, row) }));
  if (rateLimitFields.some((field) => columns.includes(field))) return overlayLimits(view, table);
  if (columns.includes("id") && columns.some(isPriceColumn)) return overlayPrices(view, columns, table);
  if (columns.includes("email")) return overlayMembers(view, table);
  const mend = `members have email and role, groups or projects; limits have project_name, model and columns such as ${rateLimitFields[0]}; prices have id and columns such as price.input_per_1m`;
  return { faults: [`line ${head.line}: names no columns that are known: ${mend}`] };
}

function toCells(columns: readonly string[], { cells }: CsvRow): CsvCells["cells"] {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]?.trim() ?? ""]));
}

function overlayLimits(view: SettingsView, table: readonly CsvCells[]): FileOrFaults {
  const faults: string[] = [];
  const file: FileDraft = {};
  projects.write(view, file);
  rateLimits.write(view, file);
  for (const { line, cells } of table) {
    const named = cells.project_id || cells.project_name || cells.project || "";
    const project = listActiveProjects(view.projectCache).find(
      ({ id, name }) => id === named || name === named,
    );
    const model = view.catalogue.find(cells.model ?? "");
    const entry = file.projects?.find(({ name }) => name === project?.name);
    if (!project || !entry) faults.push(`line ${line}: there is no project "${named}"`);
    if (!model) faults.push(`line ${line}: there is no model "${cells.model ?? ""}"`);
    if (!project || !entry || !model) continue;
    const effective = view.rateLimitCache.effectiveLimits(project.id, model);
    const edit: Record<string, number | null | "default"> = {};
    for (const field of rateLimitFields) {
      const limit = readLimit(cells[field] ?? "", field);
      if (limit === "fault") faults.push(`line ${line}, ${field}: "${cells[field]}" is not a limit`);
      else if (limit !== undefined && limit !== effective[field]) edit[field] = limit;
    }
    if (Object.keys(edit).length === 0) continue;
    const own = editLimits(entry.rate_limits?.[model.id] ?? {}, edit as LimitEdit);
    entry.rate_limits = { ...entry.rate_limits, [model.id]: own };
  }
  return faults.length > 0 ? { faults } : { file };
}

/** Digits that may be in groups of three, "no limit" or "default". Undefined for an empty cell. */
function readLimit(text: string, field: RateLimitField): number | null | "default" | "fault" | undefined {
  if (text === "") return undefined;
  if (/^default$/i.test(text)) return "default";
  if (/^(no limit|none|unlimited)$/i.test(text)) return rateLimitTable[field].removable ? null : "fault";
  const isNumber = /^\d+$/.test(text) || /^\d{1,3}([,.'’\u00a0\u202f ]\d{3})+$/.test(text);
  const value = Number(text.replaceAll(/\D/g, ""));
  return isNumber && Number.isSafeInteger(value) ? value : "fault";
}

const PRICE_COLUMN = /^(rate|batch_rate|(price|audio_price)\.\w+_per_1m|unit_price\.amount)$/;
const isPriceColumn = (column: string) => PRICE_COLUMN.test(column);

function overlayPrices(
  view: SettingsView,
  columns: readonly string[],
  table: readonly CsvCells[],
): FileOrFaults {
  const faults: string[] = [];
  const file: FileDraft = {};
  models.write(view, file);
  for (const { line, cells } of table) {
    const model = file.models?.find(({ id }) => id === cells.id);
    const isBuiltIn = !model && view.catalogue.find(cells.id ?? "") !== undefined;
    // A list of all models has those that are built in, whose prices aren't part of a file.
    if (isBuiltIn) continue;
    if (!model) faults.push(`line ${line}: there is no model "${cells.id ?? ""}"`);
    for (const column of model ? columns.filter(isPriceColumn) : []) {
      const text = (cells[column] ?? "").replace(/^(\d+),(\d+)$/, "$1.$2");
      if (text === "") continue;
      const amount = parseAmount(text);
      if (amount === null || amount < 0n) faults.push(`line ${line}, ${column}: "${text}" is not a price`);
      else if (!setAt(model as unknown as Record<string, unknown>, column.split("."), text))
        faults.push(`line ${line}, ${column}: "${cells.id}" has no such price`);
    }
  }
  return faults.length > 0 ? { faults } : { file };
}

/** @returns false where there is nothing of which it would be a part. */
function setAt(
  object: Record<string, unknown>,
  [name = "", inner]: readonly string[],
  text: string,
): boolean {
  if (inner === undefined) {
    object[name] = text;
    return true;
  }
  const part = object[name];
  if (typeof part !== "object" || part === null) return false;
  object[name] = { ...part, [inner]: text };
  return true;
}

/** A record of a CSV by its columns. */
interface CsvCells {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

type Edited = { -readonly [Field in keyof DeclaredMember]: DeclaredMember[Field] };

/**
 * Members of a CSV over those that there are. Cells hold lists such as `Leads; Testers` and, for projects,
 * `Support bot: Testers; Search: Project member`; `none` empties one. Roles are named by name, id or word.
 */
function overlayMembers(view: SettingsView, table: readonly CsvCells[]): FileOrFaults {
  const faults: string[] = [];
  const file: FileDraft = {};
  members.write(view, file);
  const byEmail = new Map((file.members ?? []).map((member): [string, Edited] => [member.email, member]));
  const lines = new Map<string, number>();
  for (const { line, cells } of table) {
    const email = (cells.email ?? "").toLowerCase();
    const earlier = lines.get(email);
    const fault = (what: string) => faults.push(`line ${line}: ${what}`);
    if (!emailAddress.safeParse(email).success) fault(`"${cells.email ?? ""}" is not an email address`);
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
