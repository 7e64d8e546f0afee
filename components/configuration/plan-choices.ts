import type { ConfigurationPlan, PlannedChange } from "@/lib/contract/operations/configuration/configuration";

/** The ids of the changes that somebody has ticked: removals, and what goes back to the file's value. */
export type Choices = ReadonlySet<string>;

export const isRemoval = ({ kind }: PlannedChange) => kind === "remove";

/** What the plan makes: the file's changes, and what is ticked. */
export function listMade({ changes }: ConfigurationPlan, chosen: Choices): PlannedChange[] {
  return changes.filter(
    (change) => (change.origin === "file" && !isRemoval(change)) || chosen.has(change.id),
  );
}

/** What was changed here and is kept, as lines for the file. */
export function writeKept({ changes }: ConfigurationPlan, chosen: Choices): { lines: string; count: number } {
  const kept = changes.filter(
    (change) => change.origin === "here" && change.kind === "update" && !chosen.has(change.id),
  );
  const lines = kept.flatMap(({ path, fields }) => [
    `# ${path.join(" › ")}`,
    ...fields.map(({ name, before }) => writeLine(name, before)),
  ]);
  return { lines: lines.join("\n"), count: kept.length };
}

/** A line of the file: what has its default is left out of it. */
export function writeLine(name: string, value: unknown): string {
  if (value === null || value === undefined) return `# ${name}: left out`;
  return `${name}: ${value === "no limit" ? "null" : JSON.stringify(value)}`;
}
