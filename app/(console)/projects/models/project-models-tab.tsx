"use client";

import { ProjectLimitSection } from "../project-limit-section";
import type { ProjectPlace } from "../project-place";
import { ModelChoiceSection } from "./model-choice-section";

/** The models that a project can call, and their rate limits. */
export function ProjectModelsTab(place: ProjectPlace) {
  return (
    <div className="grid gap-10">
      {place.may("api.model_permissions.read") && <ModelChoiceSection {...place} />}
      {place.may("api.rate_limits.read") && <ProjectLimitSection {...place} />}
    </div>
  );
}
