import {
  countChanges,
  describeFields,
  type FieldWords,
  nameObject,
} from "@/lib/contract/operations/configuration/change-words";
import type { ConfigurationPlan, PlannedChange } from "@/lib/contract/operations/configuration/configuration";

const signs = { create: "+", update: "~", remove: "-" } as const;

/** A plan as lines for a terminal. */
export function writePlan(plan: ConfigurationPlan): string {
  const { id, changes, secrets, at_start: atStart, untried } = plan;
  const ofFile = changes.filter(({ origin }) => origin === "file");
  const here = changes.filter(({ origin }) => origin === "here");
  return [
    `${countChanges(changes)}.`,
    ...section("Changed in the file", ofFile),
    ...section("Changed here since it was last applied: kept, unless you take it back with --back", here),
    ...(atStart.length > 0
      ? ["", "Read only when the gateway starts with the file", ...atStart.map((line) => `  ~ ${line}`)]
      : []),
    ...(untried > 0
      ? ["", `${untried} of them weren't tried out: apply says whether they can be made.`]
      : []),
    ...(secrets.length > 0 ? ["", `Needs ${secrets.join(", ")} in the environment.`] : []),
    ...(changes.length > 0 ? ["", `npm run apply -- ${id}`] : []),
  ].join("\n");
}

function section(title: string, changes: readonly PlannedChange[]): string[] {
  if (changes.length === 0) return [];
  return ["", title, ...changes.flatMap(writeChange)];
}

function writeChange(change: PlannedChange): string[] {
  const { id, kind, path, origin, refusal, changed_by: by } = change;
  const { what, name, inside } = nameObject(path);
  const title = [what, inside === null ? name : `${name} · ${inside}`]
    .filter((word) => word !== null)
    .join(" ");
  const choice = kind === "remove" ? `  --remove ${id}` : origin === "here" ? `  --back ${id}` : "";
  return [
    `  ${signs[kind]} ${title}${choice}`,
    ...(kind === "remove" ? [] : describeFields(change).map((field) => `      ${writeField(field)}`)),
    ...(by ? [`      ${by.name}, ${new Date(by.at * 1000).toISOString()}`] : []),
    ...(refusal ? [`      can't be applied: ${refusal.message}`] : []),
  ];
}

function writeField({ label, before, after, added, removed }: FieldWords): string {
  if (before !== null) return `${label} ${before} → ${after}`;
  const lists = [added.map((entry) => `+${entry}`), removed.map((entry) => `-${entry}`)].flat();
  return `${label} ${lists.join(" ")}`;
}
