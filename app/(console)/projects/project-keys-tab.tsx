"use client";

import { ProjectKeys } from "@/components/keys/project-keys";
import { Section } from "@/components/ui/section";
import type { ProjectPartProps } from "./project-part-props";
import { ServiceAccountSection } from "./service-accounts/service-account-section";

/** The project's own keys, and its service accounts with theirs. */
export function ProjectKeysTab(page: ProjectPartProps) {
  const { project, baseUrl, may, since } = page;
  return (
    <div className="grid gap-10">
      {may("api.project_api_keys.read") && (
        <div>
          <ProjectKeys
            project={project}
            baseUrl={baseUrl}
            canWrite={may("api.project_api_keys.write")}
            usageSince={may("api.usage.read") ? since.thirtyDays : null}
            renderHead={(createButton) => (
              <div className="mb-3">
                <Section
                  title="Keys"
                  description="With one of them a program calls models, under the limits of this project."
                  actions={createButton}
                />
              </div>
            )}
          />
        </div>
      )}
      {may("api.service_accounts.read") && <ServiceAccountSection {...page} />}
    </div>
  );
}
