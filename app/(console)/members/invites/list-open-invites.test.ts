import { expect, test } from "bun:test";
import type { Invite } from "@/lib/contract/operations/people/invites";
import { listOpenInvites } from "./list-open-invites";

function invite(id: string, email: string, status: Invite["status"]): Invite {
  const times = { created_at: 1, expires_at: 2, accepted_at: null };
  return { object: "organization.invite", id, email, role: "reader", status, ...times, projects: [] };
}

test("an expired invitation is listed until the person is invited again or has joined", () => {
  const listed = listOpenInvites(
    [
      invite("new", "again@example.com", "pending"),
      invite("late", "late@example.com", "expired"),
      invite("old", "again@example.com", "expired"),
      invite("in", "in@example.com", "accepted"),
      invite("later", "late@example.com", "expired"),
      invite("joined", "joined@example.com", "expired"),
    ],
    new Set(["joined@example.com"]),
  );
  expect(listed.map(({ id }) => id)).toEqual(["new", "late"]);
});
