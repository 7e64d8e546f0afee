"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import type { ProjectPartProps } from "../project-part-props";
import { BodySettingsForm } from "./body-settings-form";

/** Which prompts and answers a project stores. */
export function BodySettingsSection({ project, may }: ProjectPartProps) {
  const read = useRead("retrieveBodySettings", { project_id: project.id });
  return (
    <Section
      title="Prompts and answers"
      description="Gatehouse doesn’t store prompts and answers unless this project turns it on. Changes apply from the next call."
    >
      <ReadState read={read} to="show what is stored" skeleton={<FormSkeleton fields={3} />}>
        {(settings) => (
          <BodySettingsForm
            project={project}
            settings={settings}
            canWrite={may("api.request_bodies.write")}
          />
        )}
      </ReadState>
    </Section>
  );
}
