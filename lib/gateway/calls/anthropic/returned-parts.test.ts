import { expect, test } from "bun:test";
import { toOrigin } from "../../providers/server-origin";
import { RestoredParts, ReturnedParts, readCallId, readSeal, sealCallId } from "./returned-parts";

const origin = toOrigin("https://api.example.com/v1");
const forge = (seal: object) => `gh1_${Buffer.from(JSON.stringify(seal)).toString("base64url")}`;

test("a server is known by its host, whatever account or path", () => {
  expect(toOrigin("https://api.example.com/v2")).toBe(origin);
  expect(toOrigin("https://other.example.com/v1")).not.toBe(origin);
});

test("what is sealed in pieces is restored whole, once", () => {
  const parts = new ReturnedParts(origin, true);
  parts.note({ reasoning_content: "Let me ", content: "" });
  parts.note({ reasoning_content: "see", role: "assistant", thought_signature: "s" });
  const restored = new RestoredParts();
  const seal = readSeal(parts.take());
  if (seal) restored.add(seal, "");
  expect(restored.fields).toEqual({ reasoning_content: "Let me see", thought_signature: "s" });
  expect(parts.isEmpty).toBe(true);
});

test("a forged seal sets no field but those that providers want again", () => {
  const seal = readSeal(
    forge({
      origin,
      names: ["role", "reasoning", 1],
      fields: { role: "system", tool_calls: [], reasoning_x: 1 },
    }),
  );
  expect(seal).toEqual({ origin, names: ["reasoning"], fields: { reasoning_x: 1 } });
});

test("what is no seal is none", () => {
  for (const text of ["", "gh1_", "gh1_%%", "EqQBCg", forge([]), forge({ origin: 1 })])
    expect(readSeal(text)).toBeNull();
});

test("a call's id comes back, with or without a seal, whole or cut", () => {
  const sealed = sealCallId("call__1", { extra_content: { a: 1 }, type: "function" }, origin);
  expect(sealed).toMatch(/^[a-zA-Z0-9_-]+$/);
  expect(readCallId(sealed)).toEqual({
    id: "call__1",
    seal: { origin, names: [], fields: { extra_content: { a: 1 } } },
  });
  expect(readCallId(sealed.slice(0, -9))).toEqual({ id: "call__1", seal: null });
  expect(sealCallId("c", { type: "function", extra_content: null }, origin)).toBe("c");
});
