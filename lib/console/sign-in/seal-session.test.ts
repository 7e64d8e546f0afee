import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { type ConsoleSession, openSession, sealSession } from "./seal-session";

const secret = randomBytes(32);
const nowMs = 1_700_000_000_000;
const session: ConsoleSession = { kind: "token", token: "very-secret-token", expiresAt: nowMs / 1000 + 60 };

test("a sealed session opens to what it was", () => {
  expect(openSession(sealSession(session, secret), secret, nowMs)).toEqual(session);
});

test("the cookie reveals nothing of the token and is different each time", () => {
  const sealedSession = sealSession(session, secret);
  expect(Buffer.from(sealedSession.slice(3), "base64url").toString("latin1")).not.toContain(session.token);
  expect(sealSession(session, secret)).not.toBe(sealedSession);
});

test("every single changed bit is noticed", () => {
  const sealedBytes = Buffer.from(sealSession(session, secret).slice(3), "base64url");
  for (let bit = 0; bit < sealedBytes.length * 8; bit++) {
    const changedBytes = Buffer.from(sealedBytes);
    changedBytes[bit >> 3] = (changedBytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(openSession(`v1.${changedBytes.toString("base64url")}`, secret, nowMs)).toBeNull();
  }
});

test("a truncated cookie, another version, another secret and any other text open no session", () => {
  const sealed = sealSession(session, secret);
  for (let length = 0; length < sealed.length; length++) {
    expect(openSession(sealed.slice(0, length), secret, nowMs)).toBeNull();
  }
  expect(openSession(sealed.replace("v1.", "v2."), secret, nowMs)).toBeNull();
  expect(openSession(`${sealed}.x`, secret, nowMs)).toBeNull();
  expect(openSession(sealed, randomBytes(32), nowMs)).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => expect(openSession(`v1.${text}`, secret, nowMs)).toBeNull()));
});

test("expires to the second, even if the browser still sends it", () => {
  const sealed = sealSession(session, secret);
  expect(openSession(sealed, secret, nowMs + 59_999)).toEqual(session);
  expect(openSession(sealed, secret, nowMs + 60_000)).toBeNull();
});
