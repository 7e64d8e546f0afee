import type { UserChangesPreview as PreviewReply } from "@/lib/contract/operations/people/user-changes";
import type { ReviewContext } from "../../access-reviews/refused-by-change";
import {
  changeUsers,
  previewUserChanges,
  type UserChangesContext,
  type UserChangesPreview,
} from "../../people/change-users";
import type { Handlers } from "../handler";
import { describeRefused } from "./describe-refused";

export function userChangesRoutes(
  context: UserChangesContext & ReviewContext,
): Handlers<"changeUsers" | "previewUserChanges"> {
  return {
    changeUsers: async ({ body, caller, request }) => ({
      object: "user_changes",
      members: describeMembers(await changeUsers(context, request, caller, body)),
    }),
    previewUserChanges: async ({ body, caller }) => {
      const { members, graphAfter, refusal } = previewUserChanges(context, caller, body);
      const losers = members.filter(({ loses }) => loses.length > 0);
      return {
        object: "user_changes.preview",
        members: describeMembers(members),
        refused: await describeRefused(context, caller, {
          graphAfter,
          loserIds: losers.map(({ user }) => user.id),
          projectId: "project_id" in body.action ? body.action.project_id : null,
        }),
        refusal: refusal && {
          code: refusal.error.code,
          message: refusal.error.message,
          user_id: refusal.userId,
        },
      };
    },
  };
}

function describeMembers(members: UserChangesPreview["members"]): PreviewReply["members"] {
  return members.map(({ user: { id, name, email }, isChanged, gains, loses }) => ({
    id,
    name,
    email,
    is_changed: isChanged,
    gains: [...gains],
    loses: [...loses],
  }));
}
