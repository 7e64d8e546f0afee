import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { emailAddress, pageSchema, queryFlag, searchedPageQuery, unixSeconds } from "../../schema";
import { markUnversioned, withVersion } from "../../version";

/** A role as a word, such as `owner`, or as its id. */
const roleName = z.string();

/** An invitation to the organization, after OpenAI's `organization.invite`. */
const invite = withVersion(
  z.object({
    object: z.literal("organization.invite"),
    id: z.string(),
    email: z.string(),
    role: roleName,
    status: z.enum(["pending", "accepted", "expired"]),
    created_at: unixSeconds,
    expires_at: unixSeconds,
    accepted_at: z.nullable(unixSeconds),
    projects: z.array(z.object({ id: z.string(), role: roleName })),
    /** The ids of the groups that it leads into. */
    groups: z.array(z.string()),
  }),
);
export type Invite = z.output<typeof invite>;

/** The reply of a creation: the only time the token of the invitation's link is shown. */
const createdInvite = z.extend(invite, { token: markUnversioned(z.string()) });
export type CreatedInvite = z.output<typeof createdInvite>;

export const inviteDraft = z.strictObject({
  email: emailAddress,
  role: roleName,
  /** By default the oldest active project, as a member; none if it is empty. */
  projects: z.optional(
    z.array(z.strictObject({ id: z.string(), role: roleName })).check(
      z.maxLength(100),
      z.refine((projects) => new Set(projects.map(({ id }) => id)).size === projects.length, {
        message: "must name each project once",
      }),
    ),
  ),
  /** The ids of the groups that they join, none by default. It takes `api.groups.write`. */
  groups: z.optional(
    z.array(z.string()).check(
      z.maxLength(100),
      z.refine((groups) => new Set(groups).size === groups.length, { message: "must name each group once" }),
    ),
  ),
});
export type InviteDraft = z.output<typeof inviteDraft>;

const deletedInvite = z.object({
  object: z.literal("organization.invite.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

const listQuery = z.extend(searchedPageQuery, {
  /** Those that can still lead to a member: the last one to each address that no member has, pending or expired. */
  open: z.optional(queryFlag),
});

export const inviteOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listInvites: {
      method: "GET",
      path: "/organization/invites",
      permission: "api.invites.read",
      summary: "Lists invitations, newest first: pending, accepted and expired ones.",
      query: listQuery,
      reply: pageSchema(invite),
    },
    createInvite: {
      method: "POST",
      effect: "creates",
      path: "/organization/invites",
      permission: "api.invites.write",
      summary:
        "Invites somebody with roles of at most your own permissions; its token is returned this once.",
      body: inviteDraft,
      reply: createdInvite,
    },
    retrieveInvite: {
      method: "GET",
      path: "/organization/invites/{invite_id}",
      permission: "api.invites.read",
      summary: "Returns one invitation without its token.",
      reply: invite,
    },
    deleteInvite: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/invites/{invite_id}",
      permission: "api.invites.write",
      summary: "Withdraws an invitation that nobody has accepted: its link stops working at once.",
      reply: deletedInvite,
    },
  },
);
