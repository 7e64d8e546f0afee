import type { ReactNode } from "react";
import { ObjectPage, type ObjectPageProps, toViewer } from "@/app/object-page/object-page";
import { UnsupportedState } from "@/components/ui/unsupported-state";
import { holderReads, roleReads } from "./member-reads";

type Page = Parameters<ObjectPageProps["children"]>[0];
type Reads = ReturnType<ObjectPageProps["children"]>["reads"];

type RoleHolderPageProps = {
  params: ObjectPageProps["params"];
  noun: "groups" | "members";
  detailReads: (id: string) => Reads;
  heldRoleReads: (id: string) => Reads;
  children: (page: Page & ReturnType<typeof toViewer> & { seesRoles: boolean }) => ReactNode;
};

/** The page of a member or a group: of somebody who holds roles. */
export function RoleHolderPage({ params, noun, detailReads, heldRoleReads, children }: RoleHolderPageProps) {
  return (
    <ObjectPage
      params={params}
      unsupported={
        <UnsupportedState level={1} operation={`show ${noun}`}>
          It has no operation for them. Ask whoever runs it who has access.
        </UnsupportedState>
      }
    >
      {(page) => {
        const seesRoles = page.may("api.role_assignments.read");
        return {
          reads: [
            ...detailReads(page.id),
            ...(page.may("api.roles.read") ? roleReads : []),
            ...(seesRoles ? [...heldRoleReads(page.id), ...holderReads] : []),
          ],
          screen: children({ ...page, ...toViewer(page.session), seesRoles }),
        };
      }}
    </ObjectPage>
  );
}
