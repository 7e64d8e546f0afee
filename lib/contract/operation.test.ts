import { expect, test } from "bun:test";
import * as z from "zod/mini";
import { defineOperations } from "./operation";

const inOrganization = { surface: "v1", scope: "organization" } as const;
const read = { method: "GET", permission: "api.roles.read", summary: "Reads.", reply: z.object({}) } as const;
const change = { ...read, method: "POST", effect: "acts" } as const;

test("an operation has its key as id, and the shared fields that it doesn't declare itself", () => {
  const { readOne, readOwn } = defineOperations(inOrganization, {
    readOne: { ...read, path: "/roles" },
    readOwn: {
      ...read,
      path: "/me",
      scope: "own",
      permission: { open: "to every caller", because: "Theirs." },
    },
  });

  expect(readOne).toMatchObject({ id: "readOne", surface: "v1", scope: "organization" });
  expect(readOwn).toMatchObject({ id: "readOwn", surface: "v1", scope: "own" });
});

test("a body that anybody may send is smaller than a caller's, whoever declares the permission", () => {
  const open = { open: "to everyone", because: "The body is the proof." } as const;
  const { signIn } = defineOperations(
    { surface: "v1", scope: "own", permission: open },
    {
      signIn: { method: "POST", effect: "acts", path: "/sign_in", summary: "Signs in.", reply: z.object({}) },
    },
  );
  const { act } = defineOperations(inOrganization, { act: { ...change, path: "/act" } });

  expect(signIn.bodyBounds.bytes).toBeLessThan(act.bodyBounds.bytes);
});

test("the compiler refuses an operation that is incomplete or contradicts itself", () => {
  // @ts-expect-error No scope is declared.
  defineOperations({ surface: "v1" }, { list: { ...read, path: "/roles" } });
  // @ts-expect-error No surface is declared.
  defineOperations({ scope: "organization" }, { list: { ...read, path: "/roles" } });
  // @ts-expect-error The path names a project.
  defineOperations(inOrganization, { list: { ...read, path: "/projects/{project_id}/roles" } });
  // @ts-expect-error The scope "own" has no permission.
  defineOperations({ surface: "v1", scope: "own" }, { list: { ...read, path: "/roles" } });
  // @ts-expect-error A POST declares its effect.
  defineOperations(inOrganization, { act: { ...read, method: "POST", path: "/act" } });
  // @ts-expect-error A GET has no effect.
  defineOperations(inOrganization, { list: { ...change, method: "GET", path: "/roles" } });
  // @ts-expect-error No operation has this field.
  defineOperations(inOrganization, { act: { ...change, path: "/act", needVersion: true } });
  const misspelled = { ...inOrganization, sessionPermision: "api.roles.read" };
  // @ts-expect-error No operation shares this field.
  defineOperations(misspelled, { list: { ...read, path: "/roles" } });
});
