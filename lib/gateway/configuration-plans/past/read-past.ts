import { SECOND_MS } from "@/lib/contract/durations";
import type { ConfigurationPart } from "@/lib/contract/operations/configuration/configuration";
import type { ConfigurationFile } from "../../configuration/configuration";
import { invalid, missingPermission } from "../../refusal";
import { compare, type Difference, declare } from "../compare";
import { type FileDraft, findLackedRead, type SettingsView } from "../section";
import { sections } from "../sections/sections";
import { type PlanContext, type Planner, tryOut } from "../stage";
import { bringBackRows } from "./past-rows.sql";

/** A moment, and of what it is told. */
interface Moment {
  /** Unix seconds. Changes within this second are part of it. */
  readonly at: number;
  /** All but members by default. */
  readonly parts: readonly ConfigurationPart[] | undefined;
  /** The field that names the moment. */
  readonly param: string;
}

/** Keys of providers aren't kept in the audit log, and what is read at start stands in a file of its own. */
const untold: readonly ConfigurationPart[] = ["providers", "defaults", "retention"];

/**
 * What was set at a moment, by the audit log, as a file that says all about its parts.
 * @throws Refusal 400 for a moment in the future or before the log begins, and for a part that it doesn't tell; 403.
 */
export function readPast(
  context: PlanContext,
  planner: Planner,
  { at, parts, param }: Moment,
): Promise<ConfigurationFile> {
  const told = sections.filter(
    ({ part }) => parts?.includes(part) ?? !["members", "providers"].includes(part),
  );
  if (at * SECOND_MS > context.runtime.clock.nowMs()) throw invalid(param, `${param} is in the future.`);
  const unknown = parts?.find((part) => untold.includes(part));
  if (unknown) throw invalid("parts", `The past of ${unknown} isn't kept: leave it out.`);
  for (const section of told) {
    const lacked = planner.held.has("api.audit_logs.read")
      ? findLackedRead(section, planner.held)
      : "api.audit_logs.read";
    if (lacked) throw missingPermission(lacked);
  }
  const write = async ({ view }: { readonly view: SettingsView }) => {
    const file: FileDraft = {};
    for (const section of told) section.write(view, file);
    return sayAll(file);
  };
  return tryOut(context, planner, write, (transaction) =>
    bringBackRows(transaction, at * SECOND_MS + SECOND_MS - 1, param),
  );
}

/** A field that a file lacks stays as it is, so a file of the past names values at their default, too. */
function sayAll(file: FileDraft): ConfigurationFile {
  const spending = { spend_limit: null, spend_alerts: [] };
  const access = { hosted_tools: "leave_out" as const, models: "all" as const };
  const nothing = { ...access, limit_plan: null, rate_limits: {}, ...spending, roles: [] };
  return {
    ...file,
    ...(file.organization && { organization: { ...spending, ...file.organization } }),
    ...(file.limit_plans && { limit_plans: file.limit_plans.map((plan) => ({ rate_limits: {}, ...plan })) }),
    ...(file.projects && { projects: file.projects.map((project) => ({ ...nothing, ...project })) }),
  };
}

/** What changed from one file of the past to another. */
export async function comparePast(
  view: SettingsView,
  from: ConfigurationFile,
  until: ConfigurationFile,
): Promise<Difference[]> {
  return compare(view, until, { now: declare(from, view), base: null });
}
