import type { Project } from "@/lib/contract/operations/projects";
import type { Held } from "../members/give-roles";
import type { MayInProject } from "./project-tabs";
import type { Since } from "./reads-of-project";

/** What every part of a project's page is given. */
export type ProjectPlace = {
  project: Project;
  /** Whether the person may do something in it. Nothing of an archived project can be changed. */
  may: MayInProject;
  held: Held;
  /** The member who is signed in; null for a key. */
  ownId: string | null;
  since: Since;
  /** Where programs reach the gateway. */
  baseUrl: string;
  /** The organization's. */
  currency: string;
};
