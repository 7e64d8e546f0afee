import { expect, test } from "bun:test";
import { explainAccess } from "../../access/explain-access";
import { listInMemory } from "../../lists/paged-list";
import { GroupCache } from "../../people/groups";
import { UserCache } from "../../people/members";
import { AccessGraph } from "../../roles/access-graph";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { roleHolderRoutes } from "./roles";

// A group whose deletion the cache of groups has followed, and the graph and the page that was read before have not.
const runtime = simulatedRuntime();
const assignment = {
  id: "group_1 role_owner",
  principal: { kind: "group" as const, id: "group_1" },
  roleId: "role_owner",
  projectId: null,
  createdAtMs: 0,
};
const graph = new AccessGraph({
  roles: [],
  assignments: [assignment],
  groupUsers: [{ groupId: "group_1", userId: "user_1" }],
});
const userCache = new UserCache([
  {
    id: "user_1",
    name: "Ada",
    email: "ada@example.com",
    developerPersona: null,
    technicalLevel: null,
    createdAtMs: 0,
    directory: null,
    deactivatedAtMs: null,
  },
]);
const groupCache = new GroupCache();

test("a list of a role's holders isn't refused because a group of them is deleted meanwhile", async () => {
  const { listRoleHolders } = roleHolderRoutes({
    graph,
    userCache,
    groupCache,
    roles: { assignmentPages: () => listInMemory([assignment]) },
    keys: { roleHolderPages: () => listInMemory([]) },
  });
  const { data } = await listRoleHolders({ query: {} } as Parameters<typeof listRoleHolders>[0]);
  expect(data.map(({ holder }) => holder)).toEqual([{ type: "group", id: "group_1", name: "group_1" }]);
});

test("an explanation of access isn't refused because a group of the member is deleted meanwhile", async () => {
  const never = () => Promise.reject(new Error("not read"));
  const { paths } = await explainAccess(
    {
      graph,
      userCache,
      groupCache,
      runtime,
      keys: { findAdminKey: never, findProjectKey: never },
      projects: { find: never },
    },
    { permission: "api.payments.write", projectId: null, userId: "user_1" },
  );
  expect(paths.map(({ heldBy }) => heldBy)).toEqual([{ type: "group", id: "group_1", name: "group_1" }]);
});
