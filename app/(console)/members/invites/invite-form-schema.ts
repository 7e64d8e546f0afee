import * as z from "zod/mini";
import { inviteDraft } from "@/lib/contract/operations/people/invites";

const { projects, role } = inviteDraft.shape;

/** The dialog's values. Unlike API clients, the console always sends the projects. */
export const inviteFormSchema = z.extend(inviteDraft, {
  role: role.check(z.minLength(1, "Choose a role.")),
  projects: z.nonoptional(projects),
});
export type InviteFormValues = z.output<typeof inviteFormSchema>;
