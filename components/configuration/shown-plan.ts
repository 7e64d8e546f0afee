import type * as z from "zod/mini";
import { countNouns } from "@/components/ui/values/group-digits";
import { countChanges } from "@/lib/contract/operations/configuration/change-words";
import type {
  ConfigurationPlan,
  PlannedChange,
  planRequest,
} from "@/lib/contract/operations/configuration/configuration";

/** A plan, with what it was made from. */
export type ShownPlan = {
  plan: ConfigurationPlan;
  /** "gatehouse.yaml", "api.openai.com", "22 Nov 2026, 14:19:07". */
  name: string;
  /** The file's text; null where there is no file. */
  text: string | null;
  /** Makes it once more. Null for an import, whose key is gone. */
  request: z.input<typeof planRequest> | null;
};

type SourceWords = {
  /** What `name` is the name of. */
  label: string;
  title: (plan: ConfigurationPlan) => string;
  sentence: string;
  /** Above its changes. */
  group: string;
  /** Why something is removed. */
  removed: string;
  /** What to do about a change that can't be made. */
  mend: string;
  leave: string;
};

const ofFile: SourceWords = {
  label: "File",
  title: ({ changes }) => countChanges(changes),
  sentence: "Compares the file, what was last applied and what is set now.",
  group: "Changed in the file",
  removed: "The file leaves it out. Past calls, charges and events stay.",
  mend: "mend the file, and plan again",
  leave: "Another file",
};

/** How a plan is spoken of, by what it was made from. */
export const sourceWords: Readonly<Record<ConfigurationPlan["source"], SourceWords>> = {
  file: ofFile,
  csv: ofFile,
  openai: {
    label: "Organization",
    title: ({ changes }) =>
      changes.length === 0
        ? "Nothing to import: what has a counterpart is here already"
        : `The import makes ${countNouns(changes.length, "change")}`,
    sentence: "Compares that organization with what is set now. Nothing is removed, here or there.",
    group: "Imported",
    removed: "",
    mend: "mend it here or there, and read the organization again",
    leave: "Back",
  },
  past: {
    label: "As of",
    title: ({ changes }) =>
      changes.length === 0
        ? "What was set then is what is set now"
        : `Restoring makes ${countNouns(changes.length, "change")}`,
    sentence: "Compares what was set then with what is set now.",
    group: "Changed back",
    removed: "It wasn’t there then. Past calls, charges and events stay.",
    mend: "mend it here, and plan again",
    leave: "Back",
  },
};

/** The ids of the changes that somebody has ticked: removals, and what goes back to the file's value. */
export type Choices = ReadonlySet<string>;

export const isRemoval = ({ kind }: PlannedChange) => kind === "remove";

/** The changes that the plan makes: the file's, and the ticked ones. */
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
