import { expect, test } from "bun:test";
import type { Permission } from "@/lib/contract/access/permissions";
import { ownerRole, predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { createAdminKey } from "../keys/admin-keys";
import { createKeyStore } from "../keys/key-store.sql";
import { createGroupStore } from "../people/group-store.sql";
import { createUserStore } from "../people/user-store.sql";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { AccessGraph } from "./access-graph";
import type { Actor } from "./actor";
import { createRoleStore } from "./role-store.sql";
import { changeRole, createRole, deleteRole, findRole, listRoles } from "./roles";

const draft = (role_name: string, permissions: Permission[] = ["api.models.read"]) => ({
  role_name,
  permissions,
});

async function openScene() {
  const store = await openTemporaryDatabase();
  const runtime = simulatedRuntime();
  return { store, runtime, ...(await load(store)) };
}

async function load(store: Awaited<ReturnType<typeof openTemporaryDatabase>>) {
  const roles = createRoleStore(store.reads);
  const graph = new AccessGraph();
  const changes = await store.changes(
    graph.following({
      roles,
      groups: createGroupStore(store.reads),
      users: createUserStore(store.reads),
    }),
  );
  return { roles, graph, changes };
}

const owner: Actor = {
  holder: { kind: "role", id: ownerRole.id },
  permissionsIn: () => new Set(ownerRole.permissions),
};

test("predefined roles come first, without those of projects; then one's own, in the order they were made", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  for (const name of ["Zoë", "Amir"]) {
    await createRole(context, testRequest, owner, null, draft(name));
    context.runtime.pass(1);
  }
  const names = listRoles(context.graph, null).map(({ name }) => name);
  expect(names).toEqual(["Owner", "Admin", "Finance", "Prompt tester", "Reader", "Directory", "Zoë", "Amir"]);
});

test("permissions are kept once each, in the catalogue's order, and survive a restart", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const rolePermissions: Permission[] = ["api.roles.write", "api.projects.read", "api.roles.write"];
  const { id } = await createRole(context, testRequest, owner, null, {
    ...draft("Editor", rolePermissions),
    description: "Edits.",
  });
  await store.reopen();
  const { graph } = await load(store);
  expect(findRole(graph, id, null)).toMatchObject({
    name: "Editor",
    description: "Edits.",
    permissions: ["api.projects.read", "api.roles.write"],
    resourceType: "api.organization",
  });
});

test("a name is unique regardless of case, including predefined ones and concurrent requests", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const results = await Promise.allSettled([
    createRole(context, testRequest, owner, null, draft("Support")),
    createRole(context, testRequest, owner, null, draft("SUPPORT")),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  for (const name of ["support", "owner"]) {
    await expect(createRole(context, testRequest, owner, null, draft(name))).rejects.toMatchObject({
      status: 409,
      code: "already_exists",
    });
  }
  // Roles of projects don't matter here.
  await createRole(context, testRequest, owner, null, draft("Project owner"));
});

test("a change keeps fields that are absent or null, but removes a description that is null", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const { id } = await createRole(context, testRequest, owner, null, {
    ...draft("Support"),
    description: "Helps.",
  });
  await changeRole(
    context,
    testRequest,
    owner,
    { scope: null, id },
    { role_name: "support", permissions: null },
  );
  expect(findRole(context.graph, id, null)).toMatchObject({
    name: "support",
    description: "Helps.",
    permissions: ["api.models.read"],
  });
  await changeRole(
    context,
    testRequest,
    owner,
    { scope: null, id },
    {
      description: null,
      permissions: ["api.roles.read"],
    },
  );
  expect(findRole(context.graph, id, null)).toMatchObject({
    description: null,
    permissions: ["api.roles.read"],
  });
  await expect(
    changeRole(context, testRequest, owner, { scope: null, id }, { role_name: "Reader" }),
  ).rejects.toMatchObject({
    status: 409,
  });
});

test("no predefined role can be changed or deleted", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const ids = predefinedRoles.filter(({ resourceType }) => resourceType === "api.organization");
  expect(ids.length).toBe(6);
  for (const { id } of ids) {
    const predefinedRefusal = { status: 403, code: "predefined_role" };
    await expect(
      changeRole(context, testRequest, owner, { scope: null, id }, { role_name: "Mine" }),
    ).rejects.toMatchObject(predefinedRefusal);
    await expect(deleteRole(context, testRequest, owner, { scope: null, id })).rejects.toMatchObject(
      predefinedRefusal,
    );
  }
});

test("a role can be deleted only while no key holds it", async () => {
  const { store, ...context } = await openScene();
  await using _ = store;
  const keys = createKeyStore(store.reads);
  const [heldRole, unheldRole] = [
    await createRole(context, testRequest, owner, null, draft("Held")),
    await createRole(context, testRequest, owner, null, draft("Idle")),
  ];
  const key = { name: "Key", roleId: heldRole.id, lifetimeSeconds: null };
  await createAdminKey({ keys, ...context }, testRequest, owner, key);
  await expect(
    deleteRole(context, testRequest, owner, { scope: null, id: heldRole.id }),
  ).rejects.toMatchObject({
    status: 409,
    code: "in_use",
  });
  await deleteRole(context, testRequest, owner, { scope: null, id: unheldRole.id });
  expect(() => findRole(context.graph, unheldRole.id, null)).toThrow(
    expect.objectContaining({ status: 404 }),
  );
  await expect(
    deleteRole(context, testRequest, owner, { scope: null, id: unheldRole.id }),
  ).rejects.toMatchObject({
    status: 404,
  });
});
