import { expect, test } from "bun:test";
import { inspect } from "node:util";
import { newSecretKey } from "@/lib/contract/access/secret-keys";
import { notFound } from "../refusal";
import { maskSecrets, newToken, Secret, secretPrefixes, TOKEN_PREFIXES } from "./secret";

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

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test("every token and key we issue is masked, wherever it appears", () => {
  const made = [
    ...TOKEN_PREFIXES.map((prefix) => newToken(prefix, random)),
    newSecretKey("gk_live_", random),
    newSecretKey("gk_admin_", random),
  ];
  for (const secret of made) {
    const masked = maskSecrets(`a ${secret}, "${secret}" and https://console.test/invite#token=${secret}`);
    expect(masked).not.toContain(secret.slice(12));
    expect(masked.split("***")).toHaveLength(4);
  }
});

test.each([...secretPrefixes])("%s… is masked, and its prefix alone is not", (prefix) => {
  expect(maskSecrets(`key=${prefix}${"aB3".repeat(10)};`)).toBe(`key=${prefix}***;`);
  expect(maskSecrets(`Keys begin with ${prefix}.`)).toBe(`Keys begin with ${prefix}.`);
});

test("a refusal that quotes its input does not quote a secret", () => {
  const key = `sk-${"x".repeat(40)}`;
  expect(JSON.stringify(notFound("project", key, "project_id").body("req_1"))).not.toContain(key);
});
