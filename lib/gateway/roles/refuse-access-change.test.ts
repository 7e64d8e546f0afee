import { expect, test } from "bun:test";
import fc from "fast-check";
import { permissions } from "@/lib/contract/access/permissions";
import { ownerRole, predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { change } from "../changes/change";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { createGroupStore } from "../people/group-store.sql";
import { addGroupUser, GroupCache, removeGroupUser } from "../people/groups";
import { newUser, UserCache } from "../people/members";
import { createUserStore } from "../people/user-store.sql";
import { Refusal } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { AccessGraph, type Holder } from "./access-graph";
import type { Actor } from "./actor";
import { assignRole, replaceRoles, unassignRole } from "./role-assignments";
import { createRoleStore } from "./role-store.sql";
import { changeRole, createRole, findRole } from "./roles";

const PROJECT = "proj_1";
const GROUP = "group_1";
const somePlace = fc.constantFrom(null, PROJECT);
const someone = fc.nat(3);

/** A random attempt; `actor` 3 is an Owner's key, `target` 3 the group. */
const someAttempt = fc.record({
  actor: someone,
  verb: fc.constantFrom("assign", "unassign", "replace", "join", "leave", "create", "change"),
  target: someone,
  place: somePlace,
  role: fc.nat(),
  held: fc.subarray([...permissions], { minLength: 1 }),
});
type Attempt = typeof someAttempt extends fc.Arbitrary<infer Value> ? Value : never;

test("keeps an owner, refuses rights beyond the caller's own, and agrees with the store under random changes", async () => {
  await using store = await openTemporaryDatabase();
  const scene = await setScene(store);
  await fc.assert(
    fc.asyncProperty(
      fc.array(someAttempt, { minLength: 20, maxLength: 40, size: "max" }),
      async (attempts) => {
        for (const attempt of attempts) await tryOut(scene, attempt);
        const { graph, roles, groups } = scene;
        const loadedGraph = new AccessGraph({
          roles: await roles.list(),
          assignments: await roles.listAssignments(),
          groupUsers: await groups.listUsers(),
        });
        for (const holder of scene.holders) {
          for (const projectId of [null, PROJECT]) {
            expect(loadedGraph.findPermissions(holder, projectId)).toEqual(
              new Set(graph.findPermissions(holder, projectId)),
            );
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

const ownerKey: Holder = { kind: "role", id: ownerRole.id };

type Scene = Awaited<ReturnType<typeof setScene>>;

/** Three members, the first of them Owner and the second Admin, a group, a project. */
async function setScene(store: Awaited<ReturnType<typeof openTemporaryDatabase>>) {
  const runtime = simulatedRuntime();
  const [roles, users, groups] = [
    createRoleStore(store.reads),
    createUserStore(store.reads),
    createGroupStore(store.reads),
  ];
  const graph = new AccessGraph();
  const [userCache, groupCache] = [new UserCache(), new GroupCache()];
  const holders: Holder[] = [];
  await store.write(async (queries, transaction) => {
    const project = { id: PROJECT, name: "P", created_at_ms: 0, archived_at_ms: null };
    await queries.insertInto("projects").values(project).execute();
    await groups.insert(transaction, {
      id: GROUP,
      name: "Group",
      createdAtMs: 0,
      externalId: null,
      isScimManaged: false,
    });
    for (const [index, roleId] of ["role_owner", "role_admin", "role_reader"].entries()) {
      const user = newUser({ userCache, runtime }, { name: "x", email: `${index}@example.com` });
      const principal = { kind: "user" as const, id: user.id };
      await users.insert(transaction, user);
      const assignments = [{ principal, roleId, projectId: null, createdAtMs: 0 }];
      await roles.replaceAssignments(transaction, principal, null, assignments);
      holders.push(principal);
    }
  });
  const changes = await store.changes(
    graph.following({ roles, groups, users }),
    userCache.following(users),
    groupCache.following(groups),
  );
  return { changes, roles, groups, groupCache, userCache, graph, runtime, holders };
}

async function tryOut(scene: Scene, attempt: Attempt): Promise<void> {
  const { graph, holders } = scene;
  const graphBefore = graph.after(() => {});
  const holder = holders[attempt.actor] ?? ownerKey;
  const actor: Actor = { holder, permissionsIn: (projectId) => graph.findPermissions(holder, projectId) };
  await perform(scene, actor, attempt).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
  expect(holders.some((one) => graph.isOwner(one))).toBe(true);
  if (graphBefore.isOwner(holder)) expect(graph.isOwner(holder)).toBe(true);
  for (const one of holders) {
    for (const projectId of [null, PROJECT]) {
      const [was, is] = [graphBefore.findPermissions(one, projectId), graph.findPermissions(one, projectId)];
      const changedPermissions = permissions.filter((name) => was.has(name) !== is.has(name));
      expect(
        changedPermissions.filter((name) => !graphBefore.findPermissions(holder, projectId).has(name)),
      ).toEqual([]);
    }
  }
}

async function perform(scene: Scene, actor: Actor, attempt: Attempt): Promise<unknown> {
  const { graph, holders } = scene;
  const { verb, target, place, held } = attempt;
  const user = holders[target];
  const principal = user ? { kind: "user" as const, id: user.id } : { kind: "group" as const, id: GROUP };
  const roleTarget = { principal, projectId: place };
  const customRoles = graph.roles().filter(({ createdAtMs }) => createdAtMs !== null);
  const roleIds = [...predefinedRoles.map(({ id }) => id), ...customRoles.map(({ id }) => id)];
  const roleId = roleIds[attempt.role % roleIds.length] ?? "";
  const ownId = customRoles[attempt.role % Math.max(customRoles.length, 1)]?.id ?? "";
  if (verb === "assign") return assignRole(scene, testRequest, actor, () => roleTarget, roleId);
  if (verb === "unassign") return unassignRole(scene, testRequest, actor, () => roleTarget, roleId);
  if (verb === "replace") {
    return change(scene, testRequest, (transaction) =>
      replaceRoles(scene, transaction, actor, roleTarget, [findRole(graph, roleId, place)]),
    );
  }
  if (verb === "change")
    return changeRole(scene, testRequest, actor, { scope: place, id: ownId }, { permissions: held });
  if (verb === "create") {
    if (customRoles.length > 5) return;
    const name = `Role ${customRoles.length} of ${place}`;
    return createRole(scene, testRequest, actor, place, { role_name: name, permissions: held });
  }
  const isIn = graph.listGroups(principal.id).includes(GROUP);
  if (principal.kind === "group" || isIn === (verb === "join")) return;
  const membership = { groupId: GROUP, userId: principal.id };
  const changeGroup = isIn ? removeGroupUser : addGroupUser;
  return changeGroup(scene, testRequest, actor, membership);
}
