import type { ComponentProps, ReactNode } from "react";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { Page } from "@/components/ui/page";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { decodeSegment } from "@/lib/contract/path-segment";
import { type Unsupported, UnsupportedPage } from "./unsupported-page";
import type { Viewer } from "./viewer";

type Session = Awaited<ReturnType<typeof sessionData>>;

export type ObjectPageProps = {
  params: Promise<{ id: string }>;
  unsupported: Unsupported;
  children: (context: {
    id: string;
    session: Session;
    may: (permission: Permission) => boolean;
  }) => ObjectScreen | Promise<ObjectScreen>;
};

type ObjectScreen = Pick<ComponentProps<typeof Prefetched>, "reads" | "slowReads"> & { screen: ReactNode };

/** The page of the object in the address. Prefetches the reads of its screen. */
export async function ObjectPage({ params, unsupported, children }: ObjectPageProps) {
  await requireSession();
  const segment = (await params).id;
  const id = decodeSegment(segment) ?? segment;
  const session = await sessionData();
  if (session.support === "specification") return <UnsupportedPage {...unsupported} />;
  const may = (permission: Permission) => holdsInOrganization(session.me, permission);
  const { screen, ...reads } = await children({ id, session, may });
  return <Prefetched {...reads}>{screen}</Prefetched>;
}

type DetailPageProps = Pick<ObjectPageProps, "params"> & {
  title: string;
  /** What the person wants to do, after "to": "see a task". */
  to: string;
  endpoint: string;
  reads: (context: { id: string; session: Session }) => ComponentProps<typeof Prefetched>["reads"];
  children: (context: Parameters<ObjectPageProps["children"]>[0]) => ReactNode | Promise<ReactNode>;
};

/** The page of an object with a single read, such as a call. */
export function DetailPage({ params, title, to, endpoint, reads, children }: DetailPageProps) {
  return (
    <ObjectPage params={params} unsupported={{ title, to, endpoint }}>
      {async (context) => ({ reads: reads(context), screen: <Page>{await children(context)}</Page> })}
    </ObjectPage>
  );
}

/** The session data that member and group screens need. */
export async function toViewer({ me, listProjects }: Session): Promise<Viewer> {
  return {
    held: me && { permissions: me.permissions, project_permissions: me.project_permissions },
    projects: (await listProjects()) ?? [],
  };
}
