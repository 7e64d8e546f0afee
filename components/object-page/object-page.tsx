import type { ComponentProps, ReactNode } from "react";
import { Prefetched } from "@/components/queries/reads/prefetched";
import { sessionData } from "@/components/queries/session/session-data";
import { Page, PageHead } from "@/components/ui/page";
import { UnsupportedState } from "@/components/ui/states/unsupported-state";

import type { HeldPermissions } from "@/lib/console/permissions-in";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import { findGatewaySupport } from "@/lib/console/sign-in/read-sign-in-methods";
import { requireSession } from "@/lib/console/sign-in/session";
import type { Permission } from "@/lib/contract/access/permissions";
import { decodeSegment } from "@/lib/contract/path-segment";

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

type OrganizationPageProps = Unsupported & {
  /** Set for a workbench that reaches from edge to edge. */
  isWide?: boolean;
  children: () => ReactNode | Promise<ReactNode>;
};

/** A page of the organization, for gateways that have all operations. */
export async function OrganizationPage({ isWide = false, children, ...unsupported }: OrganizationPageProps) {
  if (findGatewaySupport(await requireSession()) === "specification")
    return <UnsupportedPage {...unsupported} />;
  const screen = await children();
  return isWide ? screen : <Page>{screen}</Page>;
}

/** The person who looks at objects of a project. */
export type Viewer = {
  /** Their permissions; null if the gateway doesn't report them. */
  held: HeldPermissions | null;
  projects: readonly { id: string; name: string }[];
};

/** What a page says if the gateway has only the specification's operations. */
export type Unsupported = {
  /** The head of the page; without one, the sentence that says so is the head. */
  title?: string;
  /** What the person wants to do: "list statements". */
  to: string;
  /** The operation that it needs: "GET /organization/statements". */
  endpoint?: string;
  /** What the person can do instead. */
  instead?: string;
  action?: ReactNode;
};

export function UnsupportedPage({ title, to, endpoint, instead, action }: Unsupported) {
  return (
    <Page>
      {title !== undefined && <PageHead title={title} />}
      <UnsupportedState
        level={title === undefined ? 1 : 2}
        operation={to}
        action={action}
        {...(endpoint !== undefined && { endpoint })}
      >
        {instead}
      </UnsupportedState>
    </Page>
  );
}
