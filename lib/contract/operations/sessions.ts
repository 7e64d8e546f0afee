import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { unixSeconds } from "../schema";

/** Who the token of a request is, and what it may do. */
export const me = z.object({
  object: z.literal("organization.me"),
  kind: z.enum(["admin_key", "project_key", "session"]),
  id: z.string(),
  name: z.string(),
  organization: z.object({ id: z.string(), name: z.string(), currency: z.string() }),
  project_id: z.nullable(z.string()),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Held in the whole organization; a project key's, in its project. */
  permissions: z.array(z.string()),
  /** Held in each project where a role is held, the organization's included. */
  project_permissions: z.array(z.object({ project_id: z.string(), permissions: z.array(z.string()) })),
  /** The member who is signed in; null for a key, and for a session opened with one. */
  user: z.nullable(z.object({ id: z.string(), email: z.string() })),
  expires_at: z.nullable(unixSeconds),
});
export type Me = z.output<typeof me>;

/** Either an admin key, or the token of a one-time sign-in link. */
export const sessionDraft = z.union([
  z.strictObject({ key: z.string().check(z.minLength(1), z.maxLength(200)) }),
  z.strictObject({ sign_in_token: z.string().check(z.minLength(1), z.maxLength(200)) }),
]);
export type SessionDraft = z.output<typeof sessionDraft>;

/** A console session; `token` stands in for the key in `Authorization: Bearer` until `expires_at`. */
export const session = z.object({
  object: z.literal("organization.session"),
  id: z.string(),
  token: z.string(),
  expires_at: unixSeconds,
});
export type Session = z.output<typeof session>;

const ended = z.object({
  object: z.literal("organization.session.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const sessionOperations = {
  retrieveMe: defineOperation({
    id: "retrieveMe",
    method: "GET",
    path: "/organization/me",
    surface: "v1 and origin",
    permission: { open: "to every caller", because: "It tells a caller nothing but what the caller is." },
    summary:
      "Returns who the token is and the permissions it holds, in the organization and in each project.",
    reply: me,
  }),
  createSession: defineOperation({
    id: "createSession",
    method: "POST",
    path: "/organization/sessions",
    surface: "v1 and origin",
    permission: {
      open: "to everyone",
      because: "Signing in is how one becomes a caller; the body carries the proof.",
    },
    summary: "Exchanges an admin key or a one-time sign-in token for a session.",
    body: sessionDraft,
    reply: session,
  }),
  deleteCurrentSession: defineOperation({
    id: "deleteCurrentSession",
    method: "DELETE",
    path: "/organization/sessions/current",
    surface: "v1 and origin",
    permission: { open: "to every caller", because: "Anyone may end their own session." },
    summary: "Signs out: the session's token stops working at once.",
    reply: ended,
  }),
};
