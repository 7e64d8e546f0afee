import { expect, test } from "bun:test";
import { inspect } from "node:util";
import { Secret } from "./secret";

test("a secret shows itself only when asked to", () => {
  const secret = new Secret("sk-canary");
  const shown = [
    `${secret}`,
    String(secret),
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    Bun.inspect({ secret }),
    JSON.stringify({ ...secret }),
    new Error("failed", { cause: secret }).toString(),
  ];
  expect(shown.join()).not.toContain("canary");
  expect(shown[0]).toBe("***");
  expect(secret.reveal()).toBe("sk-canary");
});
