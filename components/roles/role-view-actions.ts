"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callAsOneself } from "@/lib/console/gateway/gateway-client";
import { endRoleView, startRoleView } from "@/lib/console/sign-in/role-view";
import type { Permission } from "@/lib/contract/access/permissions";

const viewInput = z.strictObject({
  roleId: z.string(),
  roleName: z.string(),
  /** Those of an unsaved draft; the role's own if they are absent. */
  permissions: z.optional(z.array(z.string())),
});

/** Shows the console as somebody with this role alone sees it, until the view is left. The audit log says who did. */
export const startView = defineAction(viewInput, async ({ roleId, roleName, permissions }) => {
  const drafted = permissions && { permissions: permissions as Permission[] };
  const reply = await callAsOneself("viewAsRole", { body: { role_id: roleId, ...drafted } });
  if (!reply.ok) return reply;
  const isDraft = permissions !== undefined;
  await startRoleView({ roleId, roleName, isDraft, header: reply.data.header });
  return { ok: true, data: null };
});

export const leaveView = defineAction(z.undefined(), async () => {
  await endRoleView();
  return { ok: true, data: null };
});
