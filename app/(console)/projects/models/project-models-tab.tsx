"use client";

import { ProjectLimitSection } from "../project-limit-section";
import type { ProjectPageProps } from "../project-page-props";
import { ModelChoiceSection } from "./model-choice-section";

/** The models that a project can call, and their rate limits. */
export function ProjectModelsTab(page: ProjectPageProps) {
  return (
    <div className="grid gap-10">
      {page.may("api.model_permissions.read") && <ModelChoiceSection {...page} />}
      {page.may("api.rate_limits.read") && <ProjectLimitSection {...page} />}
    </div>
  );
}
