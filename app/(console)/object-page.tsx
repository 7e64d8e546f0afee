import type { ComponentProps, ReactNode } from "react";
import { Prefetched } from "@/app/queries/prefetched";
import { Page } from "@/components/ui/page";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/permissions";
import { sessionData } from "./session-data";

type Session = Awaited<ReturnType<typeof sessionData>>;

export type ObjectPageProps = {
  params: Promise<{ id: string }>;
  /** Shown if the gateway has no operation for the object. */
  unsupported: ReactNode;
  children: (place: {
    id: string;
    session: Session;
    may: (permission: Permission) => boolean;
  }) => Pick<ComponentProps<typeof Prefetched>, "reads"> & { screen: ReactNode };
};

/** The page of the object in the address. Prefetches the reads of its screen. */
export async function ObjectPage({ params, unsupported, children }: ObjectPageProps) {
  await requireSession();
  const id = decodeURIComponent((await params).id);
  const session = await sessionData();
  if (session.support === "specification") return <Page>{unsupported}</Page>;
  const may = (permission: Permission) => session.me?.permissions.includes(permission) ?? true;
  const { reads, screen } = children({ id, session, may });
  return <Prefetched reads={reads}>{screen}</Prefetched>;
}

/** The session data that member and group screens need. */
export function rightsAndProjects({ me, projects }: Session) {
  return {
    held: me && { permissions: me.permissions, project_permissions: me.project_permissions },
    projects: projects ?? [],
  };
}
