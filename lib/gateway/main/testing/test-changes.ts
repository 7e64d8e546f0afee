import { ownerRole } from "@/lib/contract/access/predefined-roles";
import { endSession, startSession } from "../../access/sessions";
import { change } from "../../changes/change";
import { testRequest } from "../../database/testing/open-temporary-database";
import { createAdminKey, deleteAdminKey } from "../../keys/admin-keys";
import { createProjectKey, deleteProjectKey } from "../../keys/project-keys";
import {
  changeServiceAccount,
  createServiceAccount,
  deleteServiceAccount,
} from "../../keys/service-accounts";
import { deleteSpendAlert, saveSpendAlert } from "../../ledger/spend-limits/spend-alerts";
import { deleteSpendLimit, saveSpendLimit } from "../../ledger/spend-limits/spend-limits";
import { saveBodySettings } from "../../log/bodies/body-settings.sql";
import { changeModel, createModel } from "../../models/models";
import { createProvider, deleteProvider } from "../../models/providers/providers";
import { addGroupUser, changeGroup, createGroup, deleteGroup, removeGroupUser } from "../../people/groups";
import { changeUser, newUser, removeUser } from "../../people/members";
import {
  archiveProject,
  createProject,
  deleteModelPermissions,
  saveModelPermissions,
} from "../../projects/projects";
import { saveRateLimit } from "../../rate-limits/rate-limits";
import type { Actor } from "../../roles/actor";
import { assignRole, unassignRole } from "../../roles/role-assignments";
import { changeRole, createRole, deleteRole } from "../../roles/roles";
import { type CreatedObjects, MODEL, type Process } from "./open-test-process";

const creator = { kind: "admin_api_key", id: "key_0", name: "Test" } as const;

/** An actor who may do anything. */
export const owner: Actor = {
  holder: { kind: "role", id: ownerRole.id },
  permissionsIn: () => new Set(ownerRole.permissions),
};
type Try = (
  process: Process,
  objects: CreatedObjects,
  pick: (kind: string) => string,
  value: number,
) => Promise<unknown>;

/** Every verb that changes cached rows, applied to the objects made so far. */
export const tries: Record<string, Try> = {
  async addProject(process, objects) {
    objects.add("project", (await createProject(process, testRequest, { name: "P" })).id);
  },
  archiveProject: (process, _, pick) => archiveProject(process, testRequest, pick("project")),
  limit: (process, _, pick, value) =>
    saveRateLimit(
      process,
      testRequest,
      { projectId: pick("project"), rateLimitId: MODEL },
      { max_requests_per_1_minute: value },
    ),
  permit: (process, _, pick, value) =>
    saveModelPermissions(process, testRequest, pick("project"), {
      mode: value % 2 ? "allow_list" : "deny_list",
      model_ids: [MODEL],
    }),
  keepBodies: (process, _, pick, value) =>
    saveBodySettings(process, testRequest, pick("project"), {
      mode: value % 2 ? "whole" : "off",
      retention_days: value + 1,
      redactions: [],
    }),
  unpermit: (process, _, pick) => deleteModelPermissions(process, testRequest, pick("project")),
  async addKey(process, objects, pick) {
    const draft = { projectId: pick("project"), name: "K", lifetimeSeconds: null, scope: {}, creator };
    const { key } = await createProjectKey(process, testRequest, owner, draft);
    objects.add("key", `${key.projectId} ${key.id}`);
    objects.hashes.push(key.hash);
  },
  deleteKey(process, _, pick) {
    const [projectId = "", id = ""] = pick("key").split(" ");
    return deleteProjectKey(process, testRequest, owner, { projectId, id });
  },
  async addAccount(process, objects, pick) {
    const draft = { name: "S", creator };
    const { account, created } = await createServiceAccount(
      process,
      testRequest,
      owner,
      pick("project"),
      draft,
    );
    objects.add("account", `${account.projectId} ${account.id}`);
    if (created) objects.hashes.push(created.key.hash);
  },
  changeAccount(process, _, pick, value) {
    const [projectId = "", id = ""] = pick("account").split(" ");
    const role = value % 2 ? "owner" : "member";
    return changeServiceAccount(process, testRequest, owner, { projectId, id }, { role });
  },
  deleteAccount(process, _, pick) {
    const [projectId = "", id = ""] = pick("account").split(" ");
    return deleteServiceAccount(process, testRequest, owner, { projectId, id });
  },
  async addAdminKey(process, objects, pick) {
    const draft = { name: "A", roleId: pick("role"), lifetimeSeconds: null };
    const { key } = await createAdminKey(process, testRequest, owner, draft);
    objects.add("adminKey", key.id);
    objects.hashes.push(key.hash);
  },
  deleteAdminKey: (process, _, pick) => deleteAdminKey(process, testRequest, owner, pick("adminKey")),
  async addUser(process, objects, _, value) {
    const user = newUser(process, { name: "U", email: `${value}@example.com` });
    await change(process, testRequest, (transaction) => process.users.insert(transaction, user));
    objects.add("user", user.id);
  },
  changeUser: (process, _, pick, value) =>
    changeUser(process, testRequest, owner, pick("user"), { role: "reader", technical_level: `${value}` }),
  removeUser: (process, _, pick) => removeUser(process, testRequest, owner, pick("user")),
  async addGroup(process, objects, _, value) {
    objects.add("group", (await createGroup(process, testRequest, { name: `G${value}` })).id);
  },
  renameGroup: (process, _, pick, value) =>
    changeGroup(process, testRequest, pick("group"), { name: `H${value}` }),
  deleteGroup: (process, _, pick) => deleteGroup(process, testRequest, owner, pick("group")),
  join: (process, _, pick) =>
    addGroupUser(process, testRequest, owner, { groupId: pick("group"), userId: pick("user") }),
  leave: (process, _, pick) =>
    removeGroupUser(process, testRequest, owner, { groupId: pick("group"), userId: pick("user") }),
  async addRole(process, objects, _, value) {
    const draft = { role_name: `R${value}`, permissions: ["api.models.read" as const] };
    objects.add("role", (await createRole(process, testRequest, owner, null, draft)).id);
  },
  changeRole: (process, _, pick, value) =>
    changeRole(
      process,
      testRequest,
      owner,
      { scope: null, id: pick("role") },
      {
        permissions: value % 2 ? ["api.roles.read"] : ["api.models.read"],
      },
    ),
  deleteRole: (process, _, pick) =>
    deleteRole(process, testRequest, owner, { scope: null, id: pick("role") }),
  assign: (process, _, pick, value) =>
    assignRole(process, testRequest, owner, () => drawTarget(pick, value), pick("role")),
  unassign: (process, _, pick, value) =>
    unassignRole(process, testRequest, owner, () => drawTarget(pick, value), pick("role")),
  async startSession(process, objects, pick) {
    const { session } = await change(process, testRequest, (transaction) =>
      startSession(process, transaction, { kind: "user", id: pick("user") }, null),
    );
    objects.add("session", `${session.actor.id} ${session.id}`);
    objects.hashes.push(session.hash);
  },
  endSession(process, _, pick) {
    const [id = "", sessionId = ""] = pick("session").split(" ");
    return endSession(process, testRequest, { kind: "user", id }, sessionId);
  },
  async addProvider(process, objects, _, value) {
    const draft = { id: `p${value % 5}`, kind: "openai" as const, base_url: "http://127.0.0.1:1/v1" };
    objects.add("provider", (await createProvider(process, testRequest, draft)).id);
  },
  deleteProvider: (process, _, pick) => deleteProvider(process, testRequest, pick("provider")),
  async addModel(process, objects, pick, value) {
    const routes = [{ provider: pick("provider"), model: "m" }];
    const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
    const draft = { id: `m${value % 5}`, family: "chat" as const, rate: "1.00", price, routes };
    objects.add("model", (await createModel(process, testRequest, draft)).id);
  },
  price: (process, _, pick, value) =>
    changeModel(process, testRequest, pick("model"), { rate: `${1 + (value % 9)}.00` }),
  limitSpend: (process, _, pick, value) =>
    saveSpendLimit(process, testRequest, pick("project"), {
      currency: "USD",
      interval: "month",
      threshold_amount: value,
    }),
  unlimitSpend: (process, _, pick) => deleteSpendLimit(process, testRequest, pick("project")),
  async alert(process, objects, pick, value) {
    const scope = pick("project");
    const draft = {
      currency: "USD",
      interval: "month" as const,
      threshold_amount: 1 + value,
      notification_channel: { type: "email" as const, recipients: ["a@example.com"] },
    };
    const id = value % 3 ? null : (objects.pickId("alert", value).split(" ")[1] ?? null);
    objects.add("alert", `${scope} ${(await saveSpendAlert(process, testRequest, scope, id, draft)).id}`);
  },
  unalert(process, _, pick) {
    const [scope = "", id = ""] = pick("alert").split(" ");
    return deleteSpendAlert(process, testRequest, scope, id);
  },
};

function drawTarget(pick: (kind: string) => string, value: number) {
  const kind = value % 2 ? ("user" as const) : ("group" as const);
  return { principal: { kind, id: pick(kind) }, projectId: value % 3 ? null : pick("project") };
}
