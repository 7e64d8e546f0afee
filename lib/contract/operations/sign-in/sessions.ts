import * as z from "zod/mini";
import { deviceToken } from "../../access/device-token";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema, secretText, unixSeconds } from "../../schema";
import { organizationLook } from "../projects/organization";

/** The caller behind a request's token, with its permissions. */
const me = z.object({
  object: z.literal("organization.me"),
  kind: z.enum(["admin_key", "project_key", "session"]),
  id: z.string(),
  name: z.string(),
  organization: z.object({ id: z.string(), name: z.string(), currency: z.string(), ...organizationLook }),
  project_id: z.nullable(z.string()),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The permissions held in the whole organization; for a project key, those held in its project. */
  permissions: z.array(z.string()),
  /** The permissions held in each project with a role, including the organization's. */
  project_permissions: z.array(z.object({ project_id: z.string(), permissions: z.array(z.string()) })),
  /** The member who is signed in; null for a key and for a session opened with one. */
  user: z.nullable(z.object({ id: z.string(), email: z.string() })),
  expires_at: z.nullable(unixSeconds),
});
export type Me = z.output<typeof me>;

/** Either an admin key, or the token of a one-time sign-in link. */
export const sessionDraft = z.union([
  z.strictObject({ key: secretText }),
  z.strictObject({ sign_in_token: secretText }),
]);

/** A console session; `token` stands in for the key in `Authorization: Bearer` until `expires_at`. */
export const session = z.object({
  object: z.literal("organization.session"),
  id: z.string(),
  token: z.string(),
  expires_at: unixSeconds,
  device_token: deviceToken,
});
export type Session = z.output<typeof session>;

/** An open session, without its token. */
const openSession = z.object({
  object: z.literal("organization.session"),
  id: z.string(),
  /** Whether it is the caller's own. */
  current: z.boolean(),
  /** The user agent at sign-in. */
  user_agent: z.nullable(z.string()),
  created_at: unixSeconds,
  /** Null if it was not used since the gateway started. */
  last_used_at: z.nullable(unixSeconds),
  expires_at: unixSeconds,
});
export type OpenSession = z.output<typeof openSession>;

const endedSession = z.object({
  object: z.literal("organization.session.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const sessionOperations = {
  ...defineOperations(
    { surface: "v1 and origin", scope: "own" },
    {
      retrieveMe: {
        method: "GET",
        path: "/organization/me",
        limitedKeys: "all",
        permission: { open: "to every caller", because: "It tells a caller nothing but what the caller is." },
        summary:
          "Returns who the token is and the permissions it holds, in the organization and in each project.",
        reply: me,
      },
      createSession: {
        method: "POST",
        effect: "acts",
        path: "/organization/sessions",
        permission: {
          open: "to everyone",
          because: "Signing in is how one becomes a caller; the body carries the proof.",
        },
        summary: "Exchanges an admin key or a one-time sign-in token for a session.",
        body: sessionDraft,
        reply: session,
      },
      deleteCurrentSession: {
        method: "DELETE",
        effect: "acts",
        path: "/organization/sessions/current",
        permission: { open: "to every caller", because: "Anyone may end their own session." },
        summary: "Signs out: the session's token stops working at once.",
        reply: endedSession,
      },
      listSessions: {
        method: "GET",
        path: "/organization/me/sessions",
        permission: { open: "to every caller", because: "Anyone may see where they are signed in." },
        summary: "Lists the open sessions of the member, or of the admin key, that asks, newest first.",
        query: pageQuery,
        reply: pageSchema(openSession),
      },
      deleteSession: {
        method: "DELETE",
        effect: "acts",
        path: "/organization/me/sessions/{session_id}",
        permission: { open: "to every caller", because: "Anyone may end their own sessions." },
        summary: "Ends one of one's own sessions: its token stops working at once.",
        reply: endedSession,
      },
    },
  ),
  ...defineOperations(
    { surface: "v1 and origin", scope: "organization" },
    {
      listUserSessions: {
        method: "GET",
        path: "/organization/users/{user_id}/sessions",
        permission: "api.users.read",
        summary: "Lists a member's open sessions, newest first.",
        query: pageQuery,
        reply: pageSchema(openSession),
      },
      deleteUserSession: {
        method: "DELETE",
        effect: "acts",
        path: "/organization/users/{user_id}/sessions/{session_id}",
        permission: "api.users.write",
        summary: "Ends a member's session: its token stops working at once.",
        reply: endedSession,
      },
    },
  ),
};
