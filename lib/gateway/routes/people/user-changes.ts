import { DAY_MS } from "@/lib/contract/durations";
import type { RolePreview } from "@/lib/contract/operations/people/roles";
import type { UserChangesPreview as PreviewReply } from "@/lib/contract/operations/people/users";
import type { Caller } from "../../access/caller";
import {
  findRefusedActions,
  findRefusedCalls,
  REVIEWED_DAYS,
  type ReviewContext,
} from "../../access-reviews/refused-by-change";
import { toUnixSeconds } from "../../clock";
import {
  changeUsers,
  previewUserChanges,
  type UserChangesContext,
  type UserChangesPreview,
} from "../../people/change-users";
import type { AccessGraph } from "../../roles/access-graph";
import type { Handlers } from "../handler";

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

interface ReviewedChange {
  readonly graphAfter: AccessGraph;
  /** The members and admin keys that lose something. */
  readonly loserIds: readonly string[];
  /** The project that it is about; null for the organization. */
  readonly projectId: string | null;
  /** The admin keys among them, whose names nobody else knows. */
  readonly keys?: readonly { readonly id: string; readonly name: string }[];
}

/** What a change of access would have refused in the last days, as far as the caller may see the logs. */
export async function describeRefused(
  context: ReviewContext,
  { permissionsIn }: Pick<Caller, "permissionsIn">,
  { projectId, keys = [], ...change }: ReviewedChange,
): Promise<RolePreview["refused"]> {
  const toActor = (id: string) => {
    const user = context.userCache.find(id);
    if (user) return { type: "user" as const, id, name: user.name };
    return { type: "admin_key" as const, id, name: keys.find((key) => key.id === id)?.name ?? id };
  };
  const seesChanges = permissionsIn(null).has("api.audit_logs.read");
  const seesCalls = permissionsIn(projectId).has("api.requests.read");
  const actions = seesChanges ? await findRefusedActions(context, change) : null;
  const calls = seesCalls ? await findRefusedCalls(context, change) : null;
  return {
    days: REVIEWED_DAYS,
    since: toUnixSeconds(context.runtime.clock.nowMs() - REVIEWED_DAYS * DAY_MS),
    changes:
      actions &&
      actions.map(({ actorId, type, projectId: place, times, lastAtMs, lastEventId }) => ({
        actor: toActor(actorId),
        event_type: type,
        project_id: place,
        times,
        last_at: toUnixSeconds(lastAtMs),
        last_audit_log_id: lastEventId,
      })),
    calls:
      calls &&
      calls.map(({ actorId, projectId: place, calls: made }) => ({
        actor: toActor(actorId),
        project_id: place,
        calls: made,
      })),
  };
}
