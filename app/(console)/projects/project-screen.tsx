"use client";

import { Folder } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import { useRead } from "@/app/queries/use-read";
import { useReopen } from "@/components/form/draft-scope";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHead } from "@/components/ui/page-head";
import { CreateButton } from "../create-button";
import { ProjectList } from "./project-list";
import { ProjectListSkeleton } from "./project-list-skeleton";
import { projectReads } from "./reads-of-projects";

// Without `ssr: false` the screen would give way to its skeleton while the dialog is loaded.
const CreateProjectDialog = dynamic(
  () => import("./create-project-dialog").then((file) => file.CreateProjectDialog),
  { ssr: false },
);
const [[read, parameters]] = projectReads;

type ProjectScreenProps = { currentProjectId: string | null; canCreate: boolean };

export function ProjectScreen({ currentProjectId, canCreate }: ProjectScreenProps) {
  const projects = useRead(read, parameters);
  const [isCreating, setIsCreating] = useState(false);
  useReopen("new-project", () => setIsCreating(canCreate));
  const isEmpty = projects.data?.data.length === 0;
  const createButton = canCreate && <CreateButton noun="project" onClick={() => setIsCreating(true)} />;
  return (
    <>
      <PageHead
        title="Projects"
        sentence="A project has keys and rate limits of its own, and every charge names it. All share one balance."
        action={!isEmpty && createButton}
      />
      <StaleNotice read={projects} />
      {isEmpty ? (
        <EmptyState
          icon={Folder}
          title="No project yet"
          action={createButton}
          example="For example “checkout” or “research”."
        >
          Keys belong to a project, and rate limits hold for one. Create the first.
        </EmptyState>
      ) : projects.data ? (
        <ProjectList
          projects={projects.data.data}
          hasMore={projects.data.has_more}
          currentProjectId={currentProjectId}
        />
      ) : projects.error ? (
        <ProblemState
          problem={projects.error.problem}
          to="list the projects"
          retry={() => void projects.refetch()}
        />
      ) : (
        <ProjectListSkeleton />
      )}
      {isCreating && <CreateProjectDialog close={() => setIsCreating(false)} />}
    </>
  );
}
