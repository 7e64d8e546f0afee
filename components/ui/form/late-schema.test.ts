import { expect, spyOn, test } from "bun:test";
import type { ResolverOptions } from "react-hook-form";
import * as z from "zod/mini";
import { lateSchema } from "./late-schema";

type Named = { name: string };
const schema = z.strictObject({ name: z.string().check(z.trim(), z.minLength(1)) });
const options: ResolverOptions<Named> = { fields: {}, shouldUseNativeValidation: false };

test("a form is checked by its schema once that is loaded, and sent as the schema reads it", async () => {
  const { resolver } = lateSchema<Named>(async () => schema);
  expect(await resolver({ name: " Ada " }, undefined, options)).toEqual({
    values: { name: "Ada" },
    errors: {},
  });
  expect(await resolver({ name: "" }, undefined, options)).toMatchObject({
    errors: { name: { message: "must not be empty" } },
  });
});

test("a form whose schema can't be loaded sends nothing and says why, until it can", async () => {
  const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
  let isOnline = false;
  const { resolver, preload } = lateSchema<Named>(async () => {
    if (!isOnline) throw new Error("offline");
    return schema;
  });
  preload();
  const refused = await resolver({ name: "Ada" }, undefined, options);
  expect(refused.errors.root?.message).toContain("could not be loaded");
  isOnline = true;
  expect(await resolver({ name: "Ada" }, undefined, options)).toEqual({
    values: { name: "Ada" },
    errors: {},
  });
  reported.mockRestore();
});

test("signing in without the schema leaves the check to the server", async () => {
  const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
  const load = () => Promise.reject(new Error("offline"));
  const { resolver } = lateSchema<Named>(load, { isSentUnchecked: true });
  expect(await resolver({ name: "Ada" }, undefined, options)).toEqual({
    values: { name: "Ada" },
    errors: {},
  });
  reported.mockRestore();
});
