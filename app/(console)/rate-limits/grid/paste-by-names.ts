import { limitFields } from "@/components/rate-limits/limit-fields";
import type { LimitDraft } from "./limit-draft";
import type { LimitPair } from "./limit-pair";
import { groupsByCommas } from "./parse-typed";
import { type EditPlan, noEdits, planCells, refuse } from "./plan-edits";

/** Where a pasted block has the names of its rows, and which limit each other column is. */
interface NamedColumns {
  /** Null where all rows are of the one project that is shown. */
  readonly project: number | null;
  readonly model: number;
  /** By column of the grid. */
  readonly limits: readonly { readonly from: number; readonly to: number }[];
  readonly firstRow: number;
}

type Cells = readonly (readonly string[])[];

/**
 * Pastes rows that begin with the names of their project and model, wherever these are in the grid. All or none.
 * @returns null for a block without such names, which goes where the selection is.
 */
export function planPasteByNames(
  draft: LimitDraft,
  cells: Cells,
  pairs: readonly LimitPair[],
): EditPlan | null {
  const find = indexPairs(pairs);
  const columns = readHead(cells) ?? guessColumns(cells, find);
  if (!columns) return null;
  const dotsGroup = !cells.some((row) => row.some(groupsByCommas));
  const rows = cells.slice(columns.firstRow).filter((row) => row.some((text) => text.trim() !== ""));
  const found: LimitPair[] = [];
  for (const [at, row] of rows.entries()) {
    const project = columns.project === null ? null : (row[columns.project] ?? "");
    const pair = find(project, row[columns.model] ?? "");
    const name = [project, row[columns.model]].filter(Boolean).join(" · ");
    const line = columns.firstRow + at + 1;
    if (!pair) return refuse(`Nothing was pasted: line ${line} names “${name}”, and there is no such row.`);
    if (found.includes(pair))
      return refuse(`Nothing was pasted: line ${line} names “${name}” a second time.`);
    found.push(pair);
  }
  if (found.length === 0 || columns.limits.length === 0) return noEdits;
  const to = columns.limits.map((column) => column.to);
  return planCells(draft, { pairs: found, columns: to }, (row, at) => {
    const text = rows[row]?.[columns.limits[at]?.from ?? -1];
    return text === undefined ? null : { text, dotsGroup };
  });
}

type Find = (project: string | null, model: string) => LimitPair | undefined;

/** By the project's name or id, and the model's. */
function indexPairs(pairs: readonly LimitPair[]): Find {
  const known = new Map<string, LimitPair>();
  const projects = new Set<string>();
  for (const pair of pairs) {
    projects.add(pair.projectId);
    for (const project of [pair.projectId, pair.projectName])
      known.set(`${fold(project)}\n${fold(pair.model || "every model")}`, pair);
  }
  const only = projects.size === 1 ? [...projects][0] : undefined;
  return (project, model) => known.get(`${fold(project ?? only ?? "")}\n${fold(model)}`);
}

const fold = (text: string) => text.trim().toLowerCase();

/** Reads the first row as a head that names its columns, as the export and the grid do. */
function readHead([head = []]: Cells): NamedColumns | null {
  const names = head.map(fold);
  const model = names.findIndex((name) => name === "model");
  if (model === -1) return null;
  const project = names.findIndex((name) => ["project", "project_id", "project name"].includes(name));
  const limits = names.flatMap((name, from) => {
    const to = limitFields.findIndex(({ name: field, label, column, per }) =>
      [field, label, `${column} ${per}`].some((known) => fold(known) === name),
    );
    return to === -1 ? [] : { from, to };
  });
  return { project: project === -1 ? null : project, model, limits, firstRow: 1 };
}

/** Without a head, the first row begins with names that are known, and all limits follow in their order. */
function guessColumns([first = []]: Cells, find: Find): NamedColumns | null {
  const limitsFrom = (begin: number) => limitFields.map((_, to) => ({ from: begin + to, to }));
  if (first.length >= 3 && find(first[0] ?? "", first[1] ?? ""))
    return { project: 0, model: 1, limits: limitsFrom(2), firstRow: 0 };
  if (first.length >= 2 && find(null, first[0] ?? ""))
    return { project: null, model: 0, limits: limitsFrom(1), firstRow: 0 };
  return null;
}
