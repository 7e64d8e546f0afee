"use server";

import * as z from "zod/mini";
import type { FoundObject } from "@/components/shell/shell-data";
import { action } from "@/lib/console/actions/action";
import type { GatewayReply } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { readGateway } from "@/lib/console/reads/read-gateway";
import { sessionData } from "./session-data";

const WHOLE = { limit: "1000" };
/** Maximum results of each kind. */
const MOST = 5;

const find = action(z.string().check(z.minLength(1), z.maxLength(200)), async (text) => ({
  ok: true,
  data: await findAll(text.toLowerCase()),
}));

/** Finds objects by name or id among those the person can see. Skips kinds that can't be read. */
export async function findObjects(text: string): Promise<readonly FoundObject[]> {
  const reply = await find(text);
  return reply.ok ? reply.data : [];
}

async function findAll(text: string): Promise<FoundObject[]> {
  const { currentProjectId: projectId } = await sessionData();
  const [projects, members, groups, models, keys, adminKeys] = await Promise.all([
    readGateway("listProjects", WHOLE),
    readGateway("listUsers", WHOLE),
    readGateway("listGroups", WHOLE),
    readGateway("listOrganizationModels", WHOLE),
    projectId ? readGateway("listProjectApiKeys", { ...WHOLE, project_id: projectId }) : null,
    readGateway("listAdminApiKeys", WHOLE),
  ]);
  const fits = (...words: string[]) => words.join(" ").toLowerCase().includes(text);
  const pick = <Row>(
    reply: GatewayReply<{ data: readonly Row[] }> | null,
    tell: (row: Row) => FoundObject,
    ...more: ((row: Row) => string)[]
  ) =>
    (reply?.ok ? reply.data.data : [])
      .map((row) => ({ row, told: tell(row) }))
      .filter(({ row, told }) => fits(told.label, told.id, ...more.map((word) => word(row))))
      .slice(0, MOST)
      .map(({ told }) => told);
  return [
    ...pick(projects, ({ id, name }) => ({ kind: "Project", id, label: name, href: paths.project(id) })),
    ...pick(
      members,
      ({ id, name }) => ({ kind: "Member", id, label: name, href: paths.member(id) }),
      ({ email }) => email,
    ),
    ...pick(groups, ({ id, name }) => ({ kind: "Group", id, label: name, href: paths.group(id) })),
    ...pick(models, ({ id }) => ({ kind: "Model", id, label: id, href: paths.model(id) })),
    ...pick(
      keys,
      ({ id, name }) => ({
        kind: "Key",
        id,
        label: name,
        href: `${paths.keys()}?q=${encodeURIComponent(name)}`,
      }),
      ({ redacted_value: value }) => value,
    ),
    ...pick(
      adminKeys,
      ({ id, name }) => ({ kind: "Admin key", id, label: name, href: paths.adminKeys() }),
      ({ redacted_value: value }) => value,
    ),
  ];
}
