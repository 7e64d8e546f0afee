import { expect, test } from "bun:test";
import { defaultProviderLimits, sandboxProvider } from "../models/providers/provider-directory";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { ProviderLink } from "./provider-link";

function linkWith(places: number) {
  const { clock } = simulatedRuntime();
  const limits = { ...defaultProviderLimits, maxConcurrentRequests: places };
  const link = new ProviderLink({ ...sandboxProvider, limits }, clock);
  return {
    link,
    /** Reserves as many places as possible. @returns how many. */
    takeAll(keyId: string, projectId = "proj_1") {
      let taken = 0;
      while (link.enter({ projectId, keyId })) taken++;
      return taken;
    },
  };
}

test("one key gets three quarters of a provider's places, and leaves the rest to others", () => {
  const { takeAll } = linkWith(1_000);
  expect(takeAll("key_1")).toBe(750);
  expect(takeAll("key_2")).toBeGreaterThan(100);
  expect(takeAll("key_3", "proj_2")).toBeGreaterThan(50);
});

test("a project's keys together leave places to other projects", () => {
  const { takeAll } = linkWith(1_000);
  let taken = 0;
  for (let key = 0; key < 500; key++) taken += takeAll(`key_${key}`);
  expect(taken).toBe(889);
  expect(takeAll("key_of_another", "proj_2")).toBeGreaterThan(50);
});

test("a call that is over gives its place back to its key, its project and the provider", () => {
  const { link, takeAll } = linkWith(8);
  const pair = { projectId: "proj_1", keyId: "key_1" };
  expect(takeAll("key_1")).toBe(6);
  for (let call = 0; call < 6; call++) link.leave(pair);
  expect(takeAll("key_1")).toBe(6);
});

test("when there are few places, the first caller may take all", () => {
  for (const places of [1, 2, 3]) expect(linkWith(places).takeAll("key_1")).toBe(places);
});
