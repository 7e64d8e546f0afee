"use client";

import { keyReads } from "@/components/keys/key-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { Section } from "@/components/ui/section";
import { ArchiveProject } from "./archive-project";
import { ProjectFigures } from "./project-figures";
import type { ProjectPartProps } from "./project-part-props";
import { callParameters, holderReads } from "./project-reads";

/** A project's figures, and the button that archives it. */
export function ProjectOverview({ project, may, since }: ProjectPartProps) {
  const [seesCalls, seesMembers, seesKeys] = [
    may("api.requests.read"),
    may("api.project_users.read"),
    may("api.project_api_keys.read"),
  ];
  const month = useRead("retrieveRequestHistogram", callParameters(project.id, since.month), {
    enabled: seesCalls,
  });
  const day = useRead("retrieveRequestHistogram", callParameters(project.id, since.day), {
    enabled: seesCalls,
  });
  const members = useRead(...holderReads.members(project.id), { enabled: seesMembers });
  const keys = useRead(...keyReads(project.id).keys, { enabled: seesKeys });
  return (
    <div className="grid gap-10">
      <ProjectFigures
        projectId={project.id}
        since={since}
        month={seesCalls && month}
        day={seesCalls && day}
        members={seesMembers && members}
        keys={seesKeys && keys}
      />
      {may("api.projects.write") && (
        <Section
          title="Archive"
          description="For a project that is no longer used. Its keys stop working; its usage and ledger entries stay."
        >
          <div>
            <ArchiveProject project={project} day={day.data} keys={keys.data} members={members.data} />
          </div>
        </Section>
      )}
    </div>
  );
}
