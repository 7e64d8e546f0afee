import { expect, test } from "bun:test";
import fc from "fast-check";
import { permissions } from "@/lib/contract/permissions";
import { ownerRole, predefinedRoles } from "@/lib/contract/predefined-roles";
import { createUser } from "../members/create-user";
import { UserBook } from "../members/user-book";
import { Refusal } from "../ports/refusal";
import { simulatedEffects } from "../simulation/simulated-effects";
import { openTemporaryDatabase } from "../store/open-temporary-database";
import { createSqliteGroupStore } from "../store/sqlite-group-store";
import { createSqliteProjectStore } from "../store/sqlite-project-store";
import { createSqliteRoleStore } from "../store/sqlite-role-store";
import { createSqliteUserStore } from "../store/sqlite-user-store";
import { AccessGraph, type Holder } from "./access-graph";
import { assignRole, seatRoles, unassignRole } from "./assign-roles";
import { type Actor, changeAccess, refuseExcessOf } from "./change-access";
import { changeRole } from "./change-role";
import { createRole } from "./create-role";
import { findRole } from "./find-role";

const PROJECT = "proj_1";
const GROUP = "group_1";
const somePlace = fc.constantFrom(null, PROJECT);
const someone = fc.nat(3);

/** What somebody tries; `actor` 3 is an Owner's key, `target` 3 the group. */
const someAttempt = fc.record({
  actor: someone,
  verb: fc.constantFrom("assign", "unassign", "seat", "join", "leave", "create", "change"),
  target: someone,
  place: somePlace,
  role: fc.nat(),
  held: fc.subarray([...permissions], { minLength: 1 }),
});
type Attempt = typeof someAttempt extends fc.Arbitrary<infer Value> ? Value : never;

test("whatever is tried: no owner is lost, nobody gives or takes beyond their own, and the store says what memory does", async () => {
  await using store = await openTemporaryDatabase();
  const scene = await setScene(store.database);
  await fc.assert(
    fc.asyncProperty(
      fc.array(someAttempt, { minLength: 20, maxLength: 40, size: "max" }),
      async (attempts) => {
        for (const attempt of attempts) await tryOut(scene, attempt);
        const { graph, roles, groups } = scene;
        const loaded = new AccessGraph({
          roles: await roles.list(),
          assignments: await roles.listAssignments(),
          groupUsers: await groups.listUsers(),
        });
        for (const holder of scene.holders) {
          for (const place of [null, PROJECT]) {
            expect(loaded.permissionsOf(holder, place)).toEqual(new Set(graph.permissionsOf(holder, place)));
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
async function setScene(database: Awaited<ReturnType<typeof openTemporaryDatabase>>["database"]) {
  const effects = simulatedEffects();
  const [roles, users, groups] = [
    createSqliteRoleStore(database),
    createSqliteUserStore(database),
    createSqliteGroupStore(database),
  ];
  const graph = new AccessGraph({ roles: [], assignments: [], groupUsers: [] });
  const userBook = new UserBook([]);
  await createSqliteProjectStore(database).insert({
    id: PROJECT,
    name: "P",
    createdAtMs: 0,
    archivedAtMs: null,
  });
  await groups.insert({ id: GROUP, name: "Group", createdAtMs: 0 });
  const holders: Holder[] = [];
  for (const [index, roleId] of ["role_owner", "role_admin", "role_reader"].entries()) {
    const { id } = await createUser(
      { users, userBook, effects },
      { name: "x", email: `${index}@example.com` },
    );
    const principal = { kind: "user" as const, id };
    const assignments = [{ principal, roleId, projectId: null, createdAtMs: 0 }];
    await roles.replaceAssignments(principal, null, assignments);
    graph.replaceAssignments(principal, null, assignments);
    holders.push(principal);
  }
  return { roles, groups, graph, effects, holders };
}

async function tryOut(scene: Scene, attempt: Attempt): Promise<void> {
  const { graph, holders } = scene;
  const before = graph.copy();
  const holder = holders[attempt.actor] ?? ownerKey;
  const actor: Actor = { holder, permissionsIn: (place) => graph.permissionsOf(holder, place) };
  await perform(scene, actor, attempt).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
  expect(holders.some((one) => graph.isOwner(one))).toBe(true);
  if (before.isOwner(holder)) expect(graph.isOwner(holder)).toBe(true);
  for (const one of holders) {
    for (const place of [null, PROJECT]) {
      const [was, is] = [before.permissionsOf(one, place), graph.permissionsOf(one, place)];
      const changed = permissions.filter((name) => was.has(name) !== is.has(name));
      expect(changed.filter((name) => !before.permissionsOf(holder, place).has(name))).toEqual([]);
    }
  }
}

async function perform(scene: Scene, actor: Actor, attempt: Attempt): Promise<unknown> {
  const { graph, groups, holders } = scene;
  const { verb, target, place, held } = attempt;
  const user = holders[target];
  const principal = user ? { kind: "user" as const, id: user.id } : { kind: "group" as const, id: GROUP };
  const seat = { principal, projectId: place };
  const own = graph.roles().filter(({ createdAtMs }) => createdAtMs !== null);
  const all = [...predefinedRoles.map(({ id }) => id), ...own.map(({ id }) => id)];
  const roleId = all[attempt.role % all.length] ?? "";
  const ownId = own[attempt.role % Math.max(own.length, 1)]?.id ?? "";
  if (verb === "assign") return assignRole(scene, actor, seat, roleId);
  if (verb === "unassign") return unassignRole(scene, actor, seat, roleId);
  if (verb === "seat") return seatRoles(scene, actor, seat, [findRole(graph, roleId, place)]);
  if (verb === "change") return changeRole(scene, actor, place, ownId, { permissions: held });
  if (verb === "create") {
    if (own.length > 5) return;
    const name = `Role ${own.length} of ${place}`;
    return createRole(scene, actor, place, { role_name: name, permissions: held });
  }
  const isIn = graph.groupsOf(principal.id).includes(GROUP);
  if (principal.kind === "group" || isIn === (verb === "join")) return;
  refuseExcessOf(actor, graph.directRoles({ id: GROUP }));
  return changeAccess(graph, actor, {
    apply: (access) =>
      isIn ? access.removeFromGroup(GROUP, principal.id) : access.addToGroup(GROUP, principal.id),
    commit: () => (isIn ? groups.removeUser(GROUP, principal.id) : groups.addUser(GROUP, principal.id, 0)),
  });
}
