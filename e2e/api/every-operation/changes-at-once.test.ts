import { expect, test } from "bun:test";
import { permissions } from "@/lib/contract/access/permissions";
import { joinMember } from "../../support/clients/join-member";
import { buildRequest } from "../../support/clients/send";
import { createTaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

type Member = { id: string; token: string };
type Change = { method: "POST" | "DELETE"; path: string; body?: object };

const admin = <Reply = { id: string }>(path: string, body: object) =>
  gateway.admin<Reply>("POST", `/organization${path}`, body);

let count = 0;
const grown = () => ({ role_name: `Whole ${++count}`, permissions: [...permissions] });
const asReader = async (member: Member) => {
  await admin(`/users/${member.id}`, { role: "reader" });
};

/** A group with all permissions, and the member in it. */
async function groupFor(member: Member): Promise<string> {
  const { id } = await admin("/groups", { name: `Group ${++count}` });
  await admin(`/groups/${id}/roles`, { role_id: "role_owner" });
  await admin(`/groups/${id}/users`, { user_id: member.id });
  await asReader(member);
  return id;
}

/** All ways to take ownership from a member, each with the setup that makes them an owner. */
const ways: Record<string, (member: Member) => Promise<Change> | Change> = {
  "their role is taken": ({ id }) => ({ method: "DELETE", path: `/users/${id}/roles/role_owner` }),
  "they get another role": ({ id }) => ({ method: "POST", path: `/users/${id}`, body: { role: "reader" } }),
  "they are removed": ({ id }) => ({ method: "DELETE", path: `/users/${id}` }),
  "they leave the group": async (member) => {
    const group = await groupFor(member);
    return { method: "DELETE", path: `/groups/${group}/users/${member.id}` };
  },
  "their group is deleted": async (member) => {
    const group = await groupFor(member);
    return { method: "DELETE", path: `/groups/${group}` };
  },
  "their group's role is taken": async (member) => {
    const group = await groupFor(member);
    return { method: "DELETE", path: `/groups/${group}/roles/role_owner` };
  },
  "their role is cut down": async (member) => {
    const role = await admin("/roles", grown());
    await admin(`/users/${member.id}/roles`, { role_id: role.id });
    await gateway.answer(
      buildRequest(`${gateway.baseUrl}/organization/users/${member.id}/roles/role_owner`, {
        method: "DELETE",
        key: gateway.adminKey,
      }),
    );
    const body = { permissions: permissions.slice(1) };
    return { method: "POST", path: `/roles/${role.id}`, body };
  },
};

const ask = ({ method, path, body }: Change, token: string) =>
  gateway.answer(buildRequest(`${gateway.baseUrl}/organization${path}`, { method, key: token, body }));

test.each(Object.keys(ways))(
  "of two owners who take it from each other at once, one does: %s",
  async (way) => {
    const prepare = ways[way] as (typeof ways)[string];
    const guard = await joinMember(gateway, `guard-${++count}@example.com`, { role: "owner" });
    const [ada, ben] = [
      await joinMember(gateway, `ada-${++count}@example.com`, { role: "owner" }),
      await joinMember(gateway, `ben-${++count}@example.com`, { role: "owner" }),
    ];
    const [ofAda, ofBen] = [await prepare(ada), await prepare(ben)];
    await gateway.answer(
      buildRequest(`${gateway.baseUrl}/organization/users/${guard.id}`, {
        method: "DELETE",
        key: gateway.adminKey,
      }),
    );
    const replies = await Promise.all([ask(ofBen, ada.token), ask(ofAda, ben.token)]);
    expect(replies.map(({ status }) => status === 200).toSorted()).toEqual([false, true]);
  },
);

test("a member who leaves a project while their cancellation waits cancels none of its tasks", async () => {
  const member = await joinMember(gateway, `mia-${++count}@example.com`, { role: "prompt_tester" });
  const other = await admin("/projects", { name: `Other ${++count}` });
  const asOwner = { user_id: member.id, role: "owner" };
  for (const project of [gateway.projectId, other.id]) await admin(`/projects/${project}/users`, asOwner);
  const tasks = createTaskClient(gateway);
  const sandbox = { outcome: "never ends" };
  const task = await tasks.create({ model: "sandbox-video", prompt: "waves", sandbox });
  const path = `/projects/${gateway.projectId}/users/${member.id}`;
  const send = (method: "POST" | "DELETE", to: string, token: string) =>
    gateway.answer(buildRequest(gateway.baseUrl + to, { method, key: token }));
  const replies = await Promise.all([
    send("DELETE", `/organization${path}`, gateway.adminKey),
    send("POST", `/tasks/${task.id}/cancel`, member.token),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 404]);
  expect(await (await tasks.ask(`/tasks/${task.id}`)).json()).toMatchObject({ cancel_requested: false });
});
