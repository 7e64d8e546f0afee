import type { Project } from "@/lib/contract/operations/projects";
import type { Held } from "../members/roles/give-roles";
import type { MayInProject } from "./project-tabs";
import type { Since } from "./reads-of-project";

/** The props of every part of a project's page. */
export type ProjectPlace = {
  project: Project;
  /** Whether the person has a permission there. False for all changes of an archived project. */
  may: MayInProject;
  held: Held;
  /** The signed-in member's id; null for a key. */
  ownId: string | null;
  since: Since;
  /** The gateway's address for programs. */
  baseUrl: string;
  /** The organization's currency. */
  currency: string;
};
