"use server";

import * as z from "zod/mini";
import { sessionData } from "@/app/queries/session-data";
import type { FoundObject } from "@/components/shell/shell-data";
import { defineAction } from "@/lib/console/actions/define-action";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { readGateway } from "@/lib/console/reads/read-gateway";

const WHOLE = { limit: "1000" };
/** Maximum results of each kind. */
const MOST = 5;

const find = defineAction(z.string().check(z.minLength(1), z.maxLength(200)), async (text) => ({
  ok: true,
  data: await findAll(text.toLowerCase()),
}));

/** Finds objects by name or id among those the person can see. Skips kinds that can't be read. */
export async function findObjects(text: string): Promise<readonly FoundObject[]> {
  const reply = await find(text);
  return reply.ok ? reply.data : [];
}

async function findAll(text: string): Promise<FoundObject[]> {
  const { currentProjectId } = await sessionData();
  const found = await Promise.all([
    findOfOrganization(text),
    currentProjectId ? findOfProject(currentProjectId, text) : [],
  ]);
  return found.flat();
}

async function findOfOrganization(text: string): Promise<FoundObject[]> {
  const [projects, members, groups, roles, models, providers, adminKeys] = await Promise.all([
    readGateway("listProjects", WHOLE),
    readGateway("listUsers", WHOLE),
    readGateway("listGroups", WHOLE),
    readGateway("listRoles", WHOLE),
    readGateway("listOrganizationModels", WHOLE),
    readGateway("listProviders", WHOLE),
    readGateway("listAdminApiKeys", WHOLE),
  ]);
  const pick = picker(text);
  return [
    ...pick(projects, ({ id, name }) => ({ kind: "Project", id, label: name, href: paths.project(id) })),
    ...pick(
      members,
      ({ id, name }) => ({ kind: "Member", id, label: name, href: paths.member(id) }),
      ({ email }) => email,
    ),
    ...pick(groups, ({ id, name }) => ({ kind: "Group", id, label: name, href: paths.group(id) })),
    ...pick(roles, ({ id, name }) => ({ kind: "Role", id, label: name, href: paths.role(id) })),
    ...pick(models, ({ id }) => ({ kind: "Model", id, label: id, href: paths.model(id) })),
    ...pick(providers, ({ id }) => ({ kind: "Provider", id, label: id, href: paths.health() })),
    ...pick(
      adminKeys,
      ({ id, name }) => ({ kind: "Admin key", id, label: name, href: paths.adminKeys() }),
      ({ redacted_value: value }) => value,
    ),
  ];
}

/** Those of the selected project. */
async function findOfProject(projectId: string, text: string): Promise<FoundObject[]> {
  const ofProject = { ...WHOLE, project_id: projectId };
  const [keys, limits, prompts] = await Promise.all([
    readGateway("listProjectApiKeys", ofProject),
    readGateway("listRateLimits", ofProject),
    readGateway("listPrompts", ofProject),
  ]);
  const pick = picker(text);
  return [
    ...pick(
      keys,
      ({ id, name }) => ({
        kind: "Key",
        id,
        label: name,
        href: paths.keys({ q: name }),
      }),
      ({ redacted_value: value }) => value,
    ),
    ...pick(limits, ({ id, model }) => ({
      kind: "Rate limit",
      id,
      label: model,
      href: paths.rateLimit(id, { project: projectId }),
    })),
    ...pick(prompts, ({ id, name }) => ({ kind: "Prompt", id, label: name, href: paths.prompt(id) })),
  ];
}

/** Returns a function that picks the rows of a list whose label, id or further words contain the text. */
function picker(text: string) {
  return <Row>(
    reply: GatewayReply<{ data: readonly Row[] }>,
    tell: (row: Row) => FoundObject,
    ...more: ((row: Row) => string)[]
  ): FoundObject[] =>
    (reply.ok ? reply.data.data : [])
      .map((row) => ({ row, told: tell(row) }))
      .filter(({ row, told }) =>
        [told.label, told.id, ...more.map((word) => word(row))].join(" ").toLowerCase().includes(text),
      )
      .slice(0, MOST)
      .map(({ told }) => told);
}
