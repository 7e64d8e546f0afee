import { Folder } from "lucide-react";
import type { ReactNode } from "react";
import { sessionData } from "@/components/queries/session/session-data";
import { Page, PageHead } from "@/components/ui/page";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { UnsupportedState } from "@/components/ui/states/unsupported-state";
import { paths } from "@/lib/console/paths";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { decodeSegment } from "@/lib/contract/path-segment";
import { NoAnswer } from "./no-answer";
import { NoProject } from "./no-project";
import type { Viewer } from "./object-page";
import { toViewer } from "./object-page";
import "server-only";
import { redirect } from "next/navigation";
import { EVERY_PROJECT } from "@/lib/console/every-project";

type Session = Awaited<ReturnType<typeof sessionData>>;

/** The project whose objects are listed; those of every project if it has no id. */
export type ListedProject = { id: string | undefined; name: string };

type ProjectFrame = {
  /** Of the address: its project, or `EVERY_PROJECT`. */
  params: Promise<{ id: string }>;
  title: string;
  sentence: string;
  /** What the person wants to do: "list the tasks". */
  to: string;
  /** What a gateway without it doesn't do, if that is more than `to`: "list or create keys". */
  lacking?: string;
  /** The operation that lists them, named if the gateway doesn't support it: "GET /tasks". */
  endpoint?: string;
  /** What the person can do instead if the gateway doesn't support it. */
  instead?: string;
  /** Shown if there is no project. */
  without: string;
};

type ProjectListPageProps = ProjectFrame & {
  children: (context: { project: ListedProject; viewer: Viewer }) => ReactNode;
};

/** A list page of the project in the address, or of every one. */
export async function ProjectListPage({ children, ...frame }: ProjectListPageProps) {
  await requireSession();
  const session = await sessionOfProject(frame.params);
  const { currentProjectId: id, isEveryProject } = session;
  if (session.support === "specification" || (!id && !isEveryProject))
    return <WithoutProject frame={frame} session={session} />;
  const name = id === null ? "all projects" : (session.currentProjectName ?? id);
  return <Page>{children({ project: { id: id ?? undefined, name }, viewer: await toViewer(session) })}</Page>;
}

type OneProjectPageProps = ProjectFrame & {
  /** Those in which the person holds it are offered where every project is shown. */
  permission: Permission;
  children: (context: {
    project: { id: string; name: string };
    session: Session;
  }) => ReactNode | Promise<ReactNode>;
};

/** A page of the one project in the address. */
export async function OneProjectPage({ permission, children, ...frame }: OneProjectPageProps) {
  await requireSession();
  const session = await sessionOfProject(frame.params);
  const { currentProjectId: id, currentProjectName } = session;
  if (session.support === "specification" || !id)
    return <WithoutProject frame={frame} session={session} choices={await session.listChoices(permission)} />;
  return <Page>{await children({ project: { id, name: currentProjectName ?? id }, session })}</Page>;
}

/** The project that the address names, which may be `EVERY_PROJECT`. */
export async function readProjectId(params: ProjectFrame["params"]): Promise<string> {
  const { id } = await params;
  return decodeSegment(id) ?? id;
}

/** The session's data in the project that the address names. */
export async function sessionOfProject(params: ProjectFrame["params"]): Promise<Session> {
  return sessionData(await readProjectId(params));
}

type WithoutProjectProps = {
  frame: ProjectFrame;
  session: Session;
  choices?: readonly { id: string; name: string }[];
};

/** Says why there is no project to show, and what the person can do. */
async function WithoutProject({ frame, session, choices = [] }: WithoutProjectProps) {
  const { title, sentence, to, lacking = to, endpoint, instead, without } = frame;
  if (session.isUnknownProject) return <UnknownProject id={await readProjectId(frame.params)} />;
  return (
    <Page>
      <PageHead title={title} sentence={sentence} />
      {session.support === "specification" ? (
        <UnsupportedState operation={lacking} {...(endpoint !== undefined && { endpoint })}>
          {instead}
        </UnsupportedState>
      ) : session.problem ? (
        <NoAnswer to={to} problem={session.problem} />
      ) : (
        <NoProject choices={choices}>{without}</NoProject>
      )}
    </Page>
  );
}

/** Shown for a link to a project that isn't there, is archived, or isn't the person's to see. */
export function UnknownProject({ id }: { id: string }) {
  return <UnknownObject noun="project" id={id} icon={Folder} list={paths.projects()} />;
}

type Query = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Leads from an address without a project, which was the screen's before, to the project that the query names or the
 * person used last, with the rest of the query.
 */
export async function leadToProject(
  address: (project: string) => string,
  searchParams: Promise<Query>,
): Promise<never> {
  await requireSession();
  const { project: named, ...rest } = await searchParams;
  const project =
    typeof named === "string" ? named : ((await sessionData()).currentProjectId ?? EVERY_PROJECT);
  const entries = Object.entries(rest).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return redirect(`${address(project)}${entries.length > 0 ? `?${new URLSearchParams(entries)}` : ""}`);
}
