import type { Permission } from "@/lib/contract/access/permissions";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import { invalid, Refusal } from "../refusal";
import type { PlanStore } from "./plan-store.sql";
import {
  holds,
  type ObjectChange,
  type OperationCall,
  type Section,
  type SettingsView,
  toChangeId,
} from "./section";
import { sections } from "./sections/sections";

/** Settings in a unit of work, and the operations that change them there, with the rights of whoever plans. */
export interface Stage {
  readonly view: SettingsView;
  /** @throws Refusal as the operation does. */
  perform(call: OperationCall): Promise<void>;
  /** The people invited in it, with the tokens of their links. */
  readonly invitations: readonly SentInvitation[];
  /** Sends the mails of what was done in it, once it is committed. */
  sendMails(): void;
}

export interface SentInvitation {
  readonly email: string;
  readonly token: string;
}

export interface PlanContext extends ChangeContext {
  readonly plans: PlanStore;
  readonly runtime: ClockAndRandom;
}

/** Who plans or applies. */
export interface Planner {
  readonly request: ChangeRequest;
  readonly held: ReadonlySet<Permission>;
  openStage(transaction: Transaction): Promise<Stage>;
}

type ReadSecret = (name: string) => string;

/** The section that an object belongs to. */
export function findSection(path: readonly string[]): Section {
  const section = sections.find((one) => holds(one, path));
  if (!section) throw new Error(`No section holds ${toChangeId(path)}`);
  return section;
}

/** Creations and changes first, each after those that it names, then removals in the reverse order. */
export function inOrder<Change extends ObjectChange>(changes: readonly Change[]): Change[] {
  const made = changes.filter(({ kind }) => kind !== "remove");
  const removed = changes.filter(({ kind }) => kind === "remove");
  return [...made, ...removed.toReversed()];
}

/** Changes that one operation makes at once. */
const MADE_AT_ONCE = 1_000;

/** Makes changes in their order, many of one section at once where it can. @throws Refusal that names the object. */
export async function performChanges(
  stage: Stage,
  planned: readonly ObjectChange[],
  readSecret: ReadSecret,
): Promise<void> {
  for (const run of toRuns(joinSame(planned))) {
    // Those of a run that is refused are made one by one, so that the refusal names the object.
    if (await performTogether(stage, run)) continue;
    for (const one of run) await performChange(stage, one, readSecret);
  }
}

/** Changes of one object that follow each other, one of the file and some made here, as one change. */
function joinSame(changes: readonly ObjectChange[]): ObjectChange[] {
  const joined: ObjectChange[] = [];
  for (const one of changes) {
    const last = joined.at(-1);
    const isSame = last?.kind === one.kind && toChangeId(last.path) === toChangeId(one.path);
    if (last && isSame) joined.splice(-1, 1, { ...last, fields: [...last.fields, ...one.fields] });
    else joined.push(one);
  }
  return joined;
}

/** Changes that follow each other and that one operation may make. */
export function toRuns<Change extends ObjectChange>(changes: readonly Change[]): Change[][] {
  const runs: { section: Section; run: Change[] }[] = [];
  for (const one of changes) {
    const section = findSection(one.path);
    const last = runs.at(-1);
    if (last?.section === section && section.together && last.run.length < MADE_AT_ONCE) last.run.push(one);
    else runs.push({ section, run: [one] });
  }
  return runs.map(({ run }) => run);
}

/** @returns whether they were made: not where no operation makes them together, or where it refuses to. */
export async function performTogether(
  { view, perform }: Pick<Stage, "view" | "perform">,
  run: readonly ObjectChange[],
): Promise<boolean> {
  const [first] = run;
  if (!first || run.length < 2) return false;
  try {
    const call = findSection(first.path).together?.(view, run);
    if (!call) return false;
    await perform(call);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Makes a change by its operations. @throws Refusal that names the object. */
export async function performChange(
  { view, perform }: Pick<Stage, "view" | "perform">,
  planned: ObjectChange,
  readSecret: ReadSecret,
): Promise<void> {
  // Calls under way go on between two of thousands of changes.
  await new Promise(setImmediate);
  try {
    for (const call of findSection(planned.path).calls(view, planned, readSecret)) await perform(call);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, type, code, message, details } = error;
    const param = details.param === undefined ? {} : { param: details.param };
    throw new Refusal(status, type, code, `${planned.path.join(" › ")}: ${message}`, param);
  }
}

/** Ends a unit of work without keeping anything of it. */
class NotKept extends Error {}

/** Runs work in a stage and rolls everything back. @param prepare writes before the stage is opened. */
export async function tryOut<Result>(
  context: PlanContext,
  planner: Planner,
  work: (stage: Stage) => Promise<Result>,
  prepare: (transaction: Transaction) => Promise<void> = async () => {},
): Promise<Result> {
  const results: Result[] = [];
  try {
    await change(context, planner.request, async (transaction) => {
      await prepare(transaction);
      results.push(await work(await planner.openStage(transaction)));
      throw new NotKept();
    });
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
  }
  return results[0] as Result;
}

/** @throws Refusal 400 for a secret that isn't given. */
export function secretsOf(given: Readonly<Record<string, string>> = {}): ReadSecret {
  return (name) => {
    const secret = given[name];
    if (secret !== undefined) return secret;
    throw invalid(
      `secrets.${name}`,
      `secrets.${name} is required: a provider is added with it.`,
      "missing_field",
    );
  };
}
