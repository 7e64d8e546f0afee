import type { Section } from "../section";
import { groups } from "./groups";
import { followedPlan, limitPlans, planLimits } from "./limit-plans";
import { members } from "./members";
import { models } from "./models";
import { hostedTools, modelAccess, projects, rateLimits } from "./projects";
import { providers } from "./providers";
import { projectRoles, roles } from "./roles";
import { spending } from "./spending";

/**
 * All kinds of objects of the file, in the order in which they are created and changed: each after those that it names.
 * They are removed in the reverse order.
 */
export const sections: readonly Section[] = [
  projects,
  providers,
  models,
  hostedTools,
  modelAccess,
  limitPlans,
  planLimits,
  followedPlan,
  rateLimits,
  ...spending,
  roles,
  projectRoles,
  groups,
  members,
];
