import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { openSignOn, sealSignOn } from "./pending-sign-on";
import { openSession, sealSession } from "./seal-session";

const secret = randomBytes(32);
const nowMs = 1_700_000_000_000;
const expiresAt = nowMs / 1000 + 600;
const pending = { stateToken: "kept by whoever began", next: "/roles", isIdentityLink: false, expiresAt };

test("a sealed sign-on opens to what it was, until it ends", () => {
  const sealed = sealSignOn(pending, secret);
  expect(openSignOn(sealed, secret, nowMs)).toEqual(pending);
  expect(openSignOn(sealed, secret, nowMs + 600_000)).toBeNull();
});

test("neither cookie is accepted as the other", () => {
  const both = { ...pending, kind: "session", token: "opaque" } as const;
  expect(openSession(sealSignOn(both, secret), secret, nowMs)).toBeNull();
  expect(openSignOn(sealSession(both, secret), secret, nowMs)).toBeNull();
});
