import { expect, test } from "bun:test";
import fc from "fast-check";
import { Secret } from "../secrets/secret";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { SealBrokenError, seal, unseal } from "./seal";

const key = new Uint8Array(32).fill(7);
const { random } = simulatedRuntime();

test("decrypts its own output, which reveals nothing of the content", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: "binary" }), (text) => {
      const sealed = seal(new Secret(text), "openai", { key, random });
      expect(unseal(sealed, "openai", key).reveal()).toBe(text);
      expect(sealed).toMatch(/^v1\.[\w-]+$/);
      expect(sealed).not.toContain(text);
    }),
  );
});

test("the same key is sealed differently each time", () => {
  const sealed = () => seal(new Secret("sk-canary"), "openai", { key, random });
  expect(sealed()).not.toBe(sealed());
});

test("can't be decrypted for another provider, with another secret, or after a change", () => {
  const sealed = seal(new Secret("sk-canary"), "openai", { key, random });
  const changed = sealed.slice(0, -1) + (sealed.endsWith("A") ? "B" : "A");
  expect(() => unseal(sealed, "other", key)).toThrow(SealBrokenError);
  expect(() => unseal(sealed, "openai", new Uint8Array(32).fill(8))).toThrow(SealBrokenError);
  for (const broken of [changed, "", "v1.", `v2${sealed.slice(2)}`, sealed.slice(0, 40)]) {
    expect(() => unseal(broken, "openai", key)).toThrow(SealBrokenError);
  }
});
