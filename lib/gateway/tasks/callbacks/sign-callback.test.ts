import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { Secret } from "../../secrets/secret";
import { deriveCallbackSecret, signCallback } from "./sign-callback";

test("the example of Standard Webhooks gets the published signature", () => {
  const secret = new Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const body = '{"test": 2432232314}';
  expect(signCallback(secret, { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body, atMs: 1_614_265_330_999 })).toEqual(
    {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
  );
});

test("the official library verifies messages signed with the revealed secret, and no others", () => {
  const secret = deriveCallbackSecret(new Uint8Array(32).fill(7));
  const body = '{"type":"spend_alert.fired","data":{"name":"Zoë"}}';
  const headers = signCallback(secret, { id: "firing_1", body, atMs: Date.now() });
  expect(new Webhook(secret.reveal()).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret.reveal()).verify(`${body} `, headers)).toThrow("No matching signature");
  const other = deriveCallbackSecret(new Uint8Array(32).fill(8)).reveal();
  expect(() => new Webhook(other).verify(body, headers)).toThrow("No matching signature");
});

test("the secret stays the same, and can't be printed by accident", () => {
  const secret = deriveCallbackSecret(new Uint8Array(32));
  expect(secret.reveal()).toBe(deriveCallbackSecret(new Uint8Array(32)).reveal());
  expect(secret.reveal()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(`${secret} ${JSON.stringify({ secret })}`).not.toContain("whsec_");
});
