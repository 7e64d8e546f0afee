import type { ReactNode } from "react";
import { sessionData } from "@/components/queries/session/session-data";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { UnsupportedState } from "@/components/ui/states/unsupported-state";
import { requireSession } from "@/lib/console/sign-in/session";
import { NoAnswer } from "./no-answer";
import { NoProject } from "./no-project";
import { toViewer } from "./object-page";
import type { Viewer } from "./viewer";

/** The project whose objects are listed; those of every project if it has no id. */
export type ListedProject = { id: string | undefined; name: string };

type ProjectListPageProps = {
  title: string;
  sentence: string;
  /** What the person wants to do: "list the tasks". */
  to: string;
  /** The operation that lists them, named if the gateway doesn't support it: "GET /tasks". */
  endpoint: string;
  /** Shown if there is no project. */
  without: string;
  children: (context: { project: ListedProject; viewer: Viewer }) => ReactNode;
};

/** A list page of the current project, or of every one. */
export async function ProjectListPage({
  title,
  sentence,
  to,
  endpoint,
  without,
  children,
}: ProjectListPageProps) {
  await requireSession();
  const session = await sessionData();
  const { support, currentProjectId: id, isEveryProject, problem } = session;
  if (support === "specification" || (!id && !isEveryProject)) {
    return (
      <Page>
        <PageHead title={title} sentence={sentence} />
        {support === "specification" ? (
          <UnsupportedState operation={to} endpoint={endpoint} />
        ) : problem ? (
          <NoAnswer to={to} problem={problem} />
        ) : (
          <NoProject>{without}</NoProject>
        )}
      </Page>
    );
  }
  const name = id === null ? "all projects" : (session.currentProjectName ?? id);
  return <Page>{children({ project: { id: id ?? undefined, name }, viewer: await toViewer(session) })}</Page>;
}
