import { stringify } from "yaml";
import type { Permission } from "@/lib/contract/access/permissions";
import type { ConfigurationPart } from "@/lib/contract/operations/configuration/configuration";
import type { Configuration } from "../configuration/configuration";
import { type FileDraft, findLackedRead, type SettingsView } from "./section";
import { sections } from "./sections/sections";

interface LeftOut {
  readonly part: string;
  readonly permission: Permission;
}

/** The parts that are read only at the start, with the permission to see each. */
const startParts = [
  { part: "defaults", reads: "api.rate_limits.read" },
  { part: "retention", reads: "api.audit_logs.read" },
] as const;

/**
 * What is set, as a file; members only where that part is asked for. What the reader may not read is left out and
 * named.
 */
export function exportFile(
  view: SettingsView & { readonly configuration: Configuration },
  held: ReadonlySet<Permission>,
  parts: readonly ConfigurationPart[] | undefined,
): { readonly file: FileDraft; readonly leftOut: readonly LeftOut[] } {
  const asked = sections.filter(({ part }) => parts?.includes(part) ?? part !== "members");
  const file: FileDraft = {};
  for (const section of asked) if (!findLackedRead(section, held)) section.write(view, file);
  const { defaults, retention } = view.configuration;
  const atStart = startParts.filter(({ part }) => parts?.includes(part) ?? true);
  for (const { part } of atStart.filter(({ reads }) => held.has(reads)))
    Object.assign(file, part === "defaults" ? { defaults: { rate_limits: defaults } } : { retention });
  const leftOutAtStart = atStart
    .filter(({ reads }) => !held.has(reads))
    .map(({ part, reads }) => ({ part, permission: reads }));
  const leftOut = asked.flatMap((section) => {
    const { part, inside } = section;
    const permission = findLackedRead(section, held);
    return permission ? [{ part: inside === null ? part : `${part}.${inside}`, permission }] : [];
  });
  return { file, leftOut: [...leftOut, ...leftOutAtStart] };
}

export function writeYaml(file: FileDraft): string {
  return stringify(file, { lineWidth: 110 });
}
