import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Permission, permissions } from "@/lib/contract/access/permissions";
import { predefinedRoles } from "@/lib/contract/access/predefined-roles";
import { AccessGraph, type AccessRecords, type AccessRows } from "./access-graph";
import { findPathsTo, findSmallestRoleFor } from "./role-assignments";
import type { Principal, RoleAssignment, RoleRecord } from "./role-store.sql";

const USERS = ["user_a", "user_b", "user_c"];
const GROUPS = ["group_x", "group_y"];
const PLACES = [null, "proj_1", "proj_2"];
const CUSTOM = ["role_1", "role_2", "role_3"];
const principals: Principal[] = [
  ...USERS.map((id) => ({ kind: "user" as const, id })),
  ...GROUPS.map((id) => ({ kind: "group" as const, id })),
];

const someUser = fc.constantFrom(...USERS);
const someGroup = fc.constantFrom(...GROUPS);
const somePlace = fc.constantFrom(...PLACES);
const someRoleId = fc.constantFrom(...CUSTOM, "role_owner", "role_finance", "role_project_member");
const someRole = fc.record({
  id: fc.constantFrom(...CUSTOM),
  permissions: fc.subarray([...permissions], { minLength: 1 }),
});

function roleRecord(id: string, heldPermissions: readonly Permission[]): RoleRecord {
  const owner = { resourceType: "api.organization" as const, projectId: null };
  return { id, name: id, description: null, permissions: heldPermissions, ...owner, createdAtMs: 0 };
}

function createAssignments(principal: Principal, projectId: string | null, roleIds: readonly string[]) {
  return roleIds.map((roleId): RoleAssignment => ({ principal, roleId, projectId, createdAtMs: 0 }));
}

/** One change, applied to the records in memory and to the rows that they are built from. */
interface Step {
  readonly name: string;
  onRecords(records: AccessRecords): void;
  onRows(rows: AccessRows): AccessRows;
}

const someStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constantFrom(...principals), somePlace, fc.uniqueArray(someRoleId)).map(
    ([principal, projectId, roleIds]): Step => ({
      name: `${principal.id} holds ${roleIds} in ${projectId}`,
      onRecords: (records) =>
        records.replaceAssignments(principal, projectId, createAssignments(principal, projectId, roleIds)),
      onRows: (rows) => ({
        ...rows,
        assignments: [
          ...rows.assignments.filter(
            (one) => one.principal.id !== principal.id || one.projectId !== projectId,
          ),
          ...createAssignments(principal, projectId, roleIds),
        ],
      }),
    }),
  ),
  fc.tuple(someUser, someGroup).map(
    ([userId, groupId]): Step => ({
      name: `${userId} changes sides of ${groupId}`,
      onRecords: (records) =>
        records.listGroups(userId).includes(groupId)
          ? records.removeFromGroup(groupId, userId)
          : records.addToGroup(groupId, userId),
      onRows: (rows) => {
        const otherMemberships = rows.groupUsers.filter(
          (one) => one.userId !== userId || one.groupId !== groupId,
        );
        const wasIn = otherMemberships.length < rows.groupUsers.length;
        return { ...rows, groupUsers: wasIn ? otherMemberships : [...otherMemberships, { groupId, userId }] };
      },
    }),
  ),
  someRole.map(
    ({ id, permissions: heldPermissions }): Step => ({
      name: `${id} is ${heldPermissions}`,
      onRecords: (records) => records.putRole(roleRecord(id, heldPermissions)),
      onRows: (rows) => ({
        ...rows,
        roles: [...rows.roles.filter((role) => role.id !== id), roleRecord(id, heldPermissions)],
      }),
    }),
  ),
  fc.constantFrom(...principals).map(
    (principal): Step => ({
      name: `${principal.id} goes`,
      onRecords: (records) => records.removePrincipal(principal),
      onRows: (rows) => ({
        ...rows,
        assignments: rows.assignments.filter((one) => one.principal.id !== principal.id),
        groupUsers: rows.groupUsers.filter(
          (one) => one.userId !== principal.id && one.groupId !== principal.id,
        ),
      }),
    }),
  ),
);
const someSteps = fc.array(
  someStep.map((step) => Object.assign(step, { toString: () => step.name })),
  { maxLength: 25 },
);

const nobody: AccessRows = { roles: [], assignments: [], groupUsers: [] };

function graphAfter(steps: readonly Step[], before = new AccessGraph(nobody)): AccessGraph {
  return before.after((records) => {
    for (const step of steps) step.onRecords(records);
  });
}

/** The specified result: the union of direct and group roles, in the organization and the project. */
function unitePermissions(
  { roles, assignments, groupUsers }: AccessRows,
  userId: string,
  ownerProjectId: string | null,
) {
  const groups = groupUsers.filter((one) => one.userId === userId).map((one) => one.groupId);
  const roleIds = assignments
    .filter(({ principal }) => principal.id === userId || groups.includes(principal.id))
    .filter(({ projectId }) => projectId === null || projectId === ownerProjectId)
    .map(({ roleId }) => roleId);
  const heldPermissions = [...predefinedRoles, ...roles].filter(({ id }) => roleIds.includes(id));
  return new Set(heldPermissions.flatMap((role) => role.permissions));
}

test("after any changes, everyone has the union of their roles' permissions in every scope", () => {
  fc.assert(
    fc.property(someSteps, (steps) => {
      let graph = new AccessGraph(nobody);
      let rows = nobody;
      for (const step of steps) {
        graph = graph.after((records) => step.onRecords(records));
        rows = step.onRows(rows);
        const loadedGraph = new AccessGraph(rows);
        for (const id of USERS) {
          for (const place of PLACES) {
            const expected = unitePermissions(rows, id, place);
            expect(graph.findPermissions({ kind: "user", id }, place)).toEqual(expected);
            expect(loadedGraph.findPermissions({ kind: "user", id }, place)).toEqual(expected);
          }
        }
      }
    }),
  );
});

test("there is an owner exactly while a member's roles of the organization add up to everything", () => {
  fc.assert(
    fc.property(someSteps, (steps) => {
      const graph = graphAfter(steps);
      const owners = USERS.filter(
        (id) => graph.findPermissions({ kind: "user", id }, null).size === permissions.length,
      );
      expect(graph.hasOwner()).toBe(owners.length > 0);
    }),
  );
});

test("leaves the graph unchanged by a preview", () => {
  const all = (graph: AccessGraph) =>
    USERS.map((id) => PLACES.map((place) => [...graph.findPermissions({ kind: "user", id }, place)]));
  fc.assert(
    fc.property(someSteps, someSteps, (before, triedSteps) => {
      const graph = graphAfter(before);
      const [permitted, assigned] = [all(graph), graph.assignments()];
      expect(all(graph.after(() => {}))).toEqual(permitted);
      all(graphAfter(triedSteps, graph));
      expect(all(graph)).toEqual(permitted);
      expect(graph.assignments()).toEqual(assigned);
    }),
  );
});

test("an explanation agrees with the decision, and the least role it names would change it", () => {
  fc.assert(
    fc.property(someSteps, someUser, somePlace, fc.constantFrom(...permissions), (steps, id, place, name) => {
      const graph = graphAfter(steps);
      const holder = { kind: "user" as const, id };
      const heldPermissions = graph.findPermissions(holder, place);
      expect(findPathsTo(graph, id, name, place).length > 0).toBe(heldPermissions.has(name));
      if (heldPermissions.has(name)) return;
      const smallest = findSmallestRoleFor(graph, heldPermissions, name, place);
      if (!smallest) throw new Error(`Owner holds ${name}`);
      const { role, projectId, alsoGrants } = smallest;
      const assigned = graph.directRoles(holder, projectId).map(({ assignment }) => assignment);
      const assignments = createAssignments(holder, projectId, [role.id]);
      const after = graph.after((records) =>
        records.replaceAssignments(holder, projectId, [...assigned, ...assignments]),
      );
      expect(after.findPermissions(holder, place)).toEqual(
        new Set([...heldPermissions, name, ...alsoGrants]),
      );
    }),
  );
});

test("an unknown project uses no memory and grants nothing", () => {
  const graph = new AccessGraph({ ...nobody, groupUsers: [{ groupId: "group_x", userId: "user_a" }] });
  const holder = { kind: "user" as const, id: "user_a" };
  expect(graph.findPermissions(holder, "proj_made_up")).toBe(graph.findPermissions(holder, null));
});
