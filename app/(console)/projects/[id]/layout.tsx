import type { ReactNode } from "react";
import { readProjectId } from "@/components/object-page/project-list-page";
import { findHeldAnywhere, signedInPerson } from "@/components/queries/session/session-data";
import { HeldPermissionsScope } from "@/components/shell/held-permissions";
import { ScreenGate } from "@/components/shell/navigation/screen-frame";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { permissionsIn } from "@/lib/console/permissions-in";

type ProjectLayoutProps = { params: Promise<{ id: string }>; children: ReactNode };

/** Tells the screens of a project what the person may do in it. */
export default async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  const [id, { me }] = await Promise.all([readProjectId(params), signedInPerson()]);
  const here = me && (id === EVERY_PROJECT ? await findHeldAnywhere(me) : permissionsIn(me, id));
  const permissions = me && here ? { organization: me.permissions, project: here } : undefined;
  return (
    <HeldPermissionsScope permissions={permissions}>
      <ScreenGate permissions={permissions}>{children}</ScreenGate>
    </HeldPermissionsScope>
  );
}
