import { expect, test } from "bun:test";
import { mediaFamilies, modelFamilies } from "@/lib/contract/calls/model-families";
import { providerKindNames, servesFamily } from "@/lib/contract/calls/provider-protocols";
import { providerKinds } from "./provider-kinds";

test.each(providerKindNames)("models that %s is said to serve can be called there", (name) => {
  const { answers, files } = providerKinds[name];
  const served = modelFamilies.filter((family) => servesFamily(name, mediaFamilies, family));
  const isMade = (family: string) => mediaFamilies.some((media) => media === family);
  expect(served.some((family) => !isMade(family))).toBe(answers !== undefined);
  expect(served.some(isMade)).toBe(files !== undefined);
});
