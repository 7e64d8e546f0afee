import type { PeriodStarts } from "@/components/usage/compute-period-starts";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { Project } from "@/lib/contract/operations/projects/projects";
import type { MayInProject } from "./project-tabs";

/** The props of every part of a project's page. */
export type ProjectPartProps = {
  project: Project;
  /** Whether the person has a permission there. False for all changes of an archived project. */
  may: MayInProject;
  held: HeldPermissions | null;
  /** The signed-in member's id; null for a key. */
  ownId: string | null;
  since: PeriodStarts;
};
