import * as z from "zod/mini";
import { inviteDraft } from "@/lib/contract/operations/invites";

const { projects, role } = inviteDraft.shape;

/** What the dialog asks for. Unlike a program, it always sends the projects. */
export const inviteFormSchema = z.extend(inviteDraft, {
  role: role.check(z.minLength(1, "Choose a role.")),
  projects: z.nonoptional(projects),
});
export type InviteFormValues = z.output<typeof inviteFormSchema>;
