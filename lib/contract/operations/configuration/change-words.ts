import { rateLimitRows } from "../../calls/rate-limit-table";
import { isObject } from "../../json-value";
import type { PlannedChange } from "./configuration";

/** A changed object in words: what it is, and its name. */
interface ObjectWords {
  /** "Project", or nothing where the name says it. */
  readonly what: string | null;
  readonly name: string;
  /** What of it: a model, "Monthly spend limit". */
  readonly inside: string | null;
}

const parts: Readonly<Record<string, string>> = {
  limit_plans: "Plan of limits",
  projects: "Project",
  providers: "Provider",
  models: "Model",
  roles: "Role",
  groups: "Group",
  members: "Member",
};

const insides: Readonly<Record<string, string>> = {
  models: "Allowed models",
  limit_plan: "Plan of limits",
  hosted_tools: "Tools that providers run",
  spend_limit: "Monthly spend limit",
  spend_alerts: "Spend alerts",
};

export function nameObject(path: readonly string[]): ObjectWords {
  const [part = "", name = "", inside, inner] = path;
  if (part === "organization") return { what: null, name: "Organization", inside: insides[name] ?? name };
  if (inside === undefined) return { what: parts[part] ?? part, name, inside: null };
  if (inside === "roles") return { what: null, name, inside: `Role ${inner}` };
  if (part === "limit_plans")
    return { what: parts[part] ?? null, name, inside: inner === "*" ? "every other model" : (inner ?? null) };
  return { what: null, name, inside: inner ?? insides[inside] ?? inside };
}

/** A changed field in words: its values, or what is added to and removed from its list. */
export interface FieldWords {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const labels: Readonly<Record<string, string>> = {
  amount: "Per month",
  rate: "Model rate",
  batch_rate: "Batch rate",
  all_but: "All models but",
  limit_plan: "Follows",
  hosted_tools: "Tools that providers run",
};

/** The word for an unset value, by the part that it stands in. */
const nothings: Readonly<Record<string, string>> = { rate_limits: "default", hosted_tools: "leave_out" };

export function describeFields({ path, fields }: Pick<PlannedChange, "path" | "fields">): FieldWords[] {
  const none = nothings[path[2] ?? ""] ?? "none";
  return fields.flatMap(({ name, before, after }) =>
    describeValue(labels[name] ?? limitLabel(name) ?? capitalize(name), before, after, none),
  );
}

function describeValue(label: string, before: unknown, after: unknown, none: string): FieldWords[] {
  if (isObject(before) || isObject(after)) {
    const [old, now] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const own =
      isObject(before) && isObject(after) ? [] : describeValue(label, plain(before), plain(after), none);
    const inner = names.flatMap((name) =>
      describeValue(`${label}: ${labels[name] ?? name.replaceAll("_", " ")}`, old[name], now[name], none),
    );
    return [...own, ...inner];
  }
  if (Array.isArray(before) || Array.isArray(after)) {
    const [old, now] = [list(before), list(after)];
    const added = now.filter((entry) => !old.includes(entry));
    const removed = old.filter((entry) => !now.includes(entry));
    const isReordered = added.length + removed.length === 0 && old.join() !== now.join();
    if (isReordered) return [{ label, before: old.join(", "), after: now.join(", "), added, removed }];
    return added.length + removed.length > 0 ? [{ label, before: null, after: null, added, removed }] : [];
  }
  const [old, now] = [text(before, none), text(after, none)];
  return old === now ? [] : [{ label, before: old, after: now, added: [], removed: [] }];
}

/** Objects and lists are described by what is in them. */
const plain = (value: unknown) => (isObject(value) || Array.isArray(value) ? null : value);

function list(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => (isObject(entry) ? writeEntry(entry) : String(entry)));
}

/** "at 400.00, recipients a@example.com". */
function writeEntry(entry: Readonly<Record<string, unknown>>): string {
  return Object.entries(entry)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(" and ") : String(value)}`)
    .join(", ");
}

function text(value: unknown, none: string): string {
  if (value === null || value === undefined) return none;
  return typeof value === "number" ? value.toLocaleString("en-US") : String(value);
}

function limitLabel(field: string): string | undefined {
  return rateLimitRows.find((row) => row.field === field)?.words.label;
}

function capitalize(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "The file has 6 changes, and 3 were made here". */
export function countChanges(changes: readonly Pick<PlannedChange, "origin">[]): string {
  const ofFile = changes.filter(({ origin }) => origin === "file").length;
  const here = changes.length - ofFile;
  if (changes.length === 0) return "The file and the gateway are the same";
  const first =
    ofFile === 0 ? "The file has no changes" : `The file has ${ofFile} change${ofFile === 1 ? "" : "s"}`;
  if (here === 0) return first;
  return `${first}, and ${here} ${here === 1 ? "was" : "were"} made here`;
}
