import type { ReactNode } from "react";
import type { Viewer } from "@/components/object-page/object-page";
import { ObjectPage, type ObjectPageProps, toViewer } from "@/components/object-page/object-page";
import { holdersRead, rolesRead } from "./member-reads";

type Page = Parameters<ObjectPageProps["children"]>[0];
type Read = Awaited<ReturnType<ObjectPageProps["children"]>>["reads"][number];

type RoleHolderPageProps = {
  params: ObjectPageProps["params"];
  noun: "groups" | "members";
  detailReads: (id: string) => Readonly<Record<string, Read>>;
  heldRolesRead: (id: string) => Read;
  children: (page: Page & Viewer & { seesRoles: boolean }) => ReactNode;
};

/** The page of a member or a group: of somebody who holds roles. */
export function RoleHolderPage({ params, noun, detailReads, heldRolesRead, children }: RoleHolderPageProps) {
  return (
    <ObjectPage
      params={params}
      unsupported={{
        to: `show ${noun}`,
        instead: "It has no operation for them. Ask whoever runs it who has access.",
      }}
    >
      {async (page) => {
        const seesRoles = page.may("api.role_assignments.read");
        return {
          reads: [
            ...Object.values(detailReads(page.id)),
            ...(page.may("api.roles.read") ? [rolesRead] : []),
            ...(seesRoles ? [heldRolesRead(page.id), holdersRead] : []),
          ],
          screen: children({ ...page, ...(await toViewer(page.session)), seesRoles }),
        };
      }}
    </ObjectPage>
  );
}
