import type { PlannedChange } from "@/lib/contract/operations/configuration/configuration";
import type { Configuration, ConfigurationFile } from "../configuration/configuration";
import {
  type DeclaredObject,
  type Fields,
  holds,
  inSlices,
  type Section,
  type SettingsView,
  toChangeId,
} from "./section";
import { sections } from "./sections/sections";

/** What differs, before it is known who changed it and whether it can be applied. */
export type Difference = Pick<PlannedChange, "id" | "path" | "kind" | "origin" | "fields"> & {
  readonly secrets?: readonly string[] | undefined;
};

/** Objects by the ids of their places. */
export type Objects = ReadonlyMap<string, DeclaredObject>;

export function declare(file: ConfigurationFile, view: SettingsView): Map<string, DeclaredObject> {
  return toObjects(sections.flatMap((section) => section.declare(file, view)));
}

/** Objects by their places. */
export function toObjects(objects: readonly DeclaredObject[]): Map<string, DeclaredObject> {
  return new Map(objects.map((one) => [toChangeId(one.path), one]));
}

/** Whether a file says anything about a section. */
export function isNamed({ part, inside }: Section, file: ConfigurationFile): boolean {
  if (inside === null) return file[part] !== undefined;
  const owners =
    part === "organization"
      ? [file.organization]
      : part === "limit_plans"
        ? (file.limit_plans ?? [])
        : (file.projects ?? []);
  return owners.some((owner) => owner && owner[inside as keyof typeof owner] !== undefined);
}

/**
 * Compares a file with what there is and with what was last applied, null for nothing. A value that only the gateway
 * has changed since then is a change made here; any other difference is the file's.
 */
export async function compare(
  view: SettingsView,
  file: ConfigurationFile,
  { now, base }: { readonly now: Objects; readonly base: Objects | null },
): Promise<Difference[]> {
  const wanted = declare(file, view);
  const differences: Difference[] = [];
  for (const section of sections) {
    const own = (objects: Objects) => inSlices([...objects].filter(([, { path }]) => holds(section, path)));
    for await (const [id, object] of own(wanted)) {
      const compared = { id, object, now: now.get(id), base: base?.get(id), isFirst: base === null };
      differences.push(...compareObject(section, compared));
    }
    const isCovered = section.covers(file);
    for await (const [id, object] of own(now)) {
      if (wanted.has(id) || !isCovered(object.path)) continue;
      // A project's contents are removed with it.
      if (section.inside !== null && !wanted.has(toChangeId(object.path.slice(0, 2)))) continue;
      differences.push(...compareUnnamed(section, { id, object, isHere: base !== null && !base.has(id) }));
    }
  }
  return differences;
}

function compareObject(
  { isImplicit }: Section,
  compared: {
    readonly id: string;
    readonly object: DeclaredObject;
    readonly now: DeclaredObject | undefined;
    readonly base: DeclaredObject | undefined;
    /** Nothing was applied before. */
    readonly isFirst: boolean;
  },
): Difference[] {
  const { id, object, base } = compared;
  const { path, secrets } = object;
  if (!compared.now && !isImplicit) {
    const fields = Object.entries(object.fields).map(([name, after]) => ({ name, before: null, after }));
    return [{ id, path: [...path], kind: "create", origin: base ? "here" : "file", fields, secrets }];
  }
  const now = compared.now?.fields ?? {};
  const names = isImplicit
    ? [...new Set([...Object.keys(object.fields), ...Object.keys(now)])]
    : Object.keys(object.fields);
  const differing = names.filter((name) => !isSame(object.fields[name], now[name]));
  const isHere = (name: string) =>
    base !== undefined &&
    isSame(base.fields[name], object.fields[name]) &&
    (isImplicit || name in base.fields);
  const toField = (name: string) => ({
    name,
    before: now[name] ?? null,
    after: object.fields[name] ?? null,
  });
  const ofFile = differing.filter((name) => !isHere(name)).map(toField);
  const ofHere = differing.filter(isHere).map(toField);
  const update = { path: [...path], kind: "update" as const };
  return [
    ...(ofFile.length > 0 ? [{ ...update, id, origin: "file" as const, fields: ofFile }] : []),
    ...ofHere.map((field) => ({
      ...update,
      id: `${id}#${encodeURIComponent(field.name)}`,
      origin: "here" as const,
      fields: [field],
    })),
  ];
}

/** Objects that the file covers and doesn't name: they are removed, or return to their defaults. */
function compareUnnamed(
  { isImplicit }: Section,
  { id, object, isHere }: { id: string; object: DeclaredObject; isHere: boolean },
): Difference[] {
  const fields = Object.entries(object.fields).map(([name, before]) => ({ name, before, after: null }));
  const kind = isImplicit ? "update" : "remove";
  return [{ id, path: [...object.path], kind, origin: isHere ? "here" : "file", fields }];
}

/** Null and what is absent are the same: a default. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part as Fields).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  );
}

/** Settings that are read only at the start, and differ from the file that the gateway was started with. */
export function findStartDifferences(file: ConfigurationFile, started: Configuration): string[] {
  const { defaults, retention, outputs } = started;
  const before = flatten({ defaults: { rate_limits: defaults }, retention, outputs: withoutKeys(outputs) });
  const after = flatten({
    defaults: file.defaults,
    retention: file.retention,
    outputs: withoutKeys(file.outputs),
  });
  const names = Object.keys(after).filter((name) => !isSame(after[name], before[name]));
  return names.map(
    (name) => `${name}: ${JSON.stringify(before[name] ?? null)} → ${JSON.stringify(after[name])}`,
  );
}

/** A plan has names of secrets in their place. */
function withoutKeys(outputs: ConfigurationFile["outputs"]): object | undefined {
  if (!outputs) return undefined;
  const { access_key_id: _id, secret_access_key: _key, session_token: _token, ...rest } = outputs;
  return rest;
}

function flatten(value: unknown, path: readonly string[] = []): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return path.length === 0 || value === undefined ? {} : { [path.join(".")]: value };
  const parts = Object.entries(value).map(([name, part]) => flatten(part, [...path, name]));
  return Object.assign({}, ...parts);
}
