"use client";

import { ProjectLimitSection } from "../project-limit-section";
import type { ProjectPartProps } from "../project-part-props";
import { ModelPermissionsSection } from "./model-permissions-section";

/** The models that a project can call, and their rate limits. */
export function ProjectModelsTab(page: ProjectPartProps) {
  return (
    <div className="grid gap-10">
      {page.may("api.model_permissions.read") && <ModelPermissionsSection {...page} />}
      {page.may("api.rate_limits.read") && <ProjectLimitSection {...page} />}
    </div>
  );
}
