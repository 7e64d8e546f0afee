"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { ifMatch } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import type { Problem } from "@/lib/console/gateway/problem";
import { spendLimitDraft } from "@/lib/contract/operations/money/spend-limits";
import { formatCents, parseCents } from "@/lib/money/amount";

/** The outcome of one change to many projects, of which some may be refused. */
type ManyOutcome = { readonly done: number; readonly refused: readonly { id: string; message: string }[] };

type Attempt = { readonly ok: true } | { readonly ok: false; readonly problem: Problem };

const MANY = [z.minLength(1), z.maxLength(1_000)] as const;

/** A project with the limit that was seen, as an amount; null for none. */
const seenLimit = z.strictObject({ id: z.string(), limit: z.nullable(z.string()) });

/** Gives many projects the same spend limit; null removes it. One that was changed since it was seen stays. */
export const saveSpendLimits = defineAction(
  z.strictObject({ projects: z.array(seenLimit).check(...MANY), limit: z.nullable(spendLimitDraft) }),
  ({ projects, limit: body }) =>
    forEachOf(projects, async ({ id, limit: seen }): Promise<Attempt> => {
      const params = { project_id: id };
      const current = await callGateway("retrieveProjectSpendLimit", { params });
      if (!current.ok && current.problem.code !== "not_found") return current;
      const cents = current.ok ? current.data.threshold_amount : null;
      if (cents !== (seen === null ? null : parseCents(seen))) return changedMeanwhile(cents);
      const version = current.ok ? (current.data.version ?? null) : null;
      if (body) return callGateway("saveProjectSpendLimit", { params, body, headers: ifMatch(version) });
      // A project without a limit is what was asked for.
      if (!current.ok) return { ok: true };
      return callGateway("deleteProjectSpendLimit", { params, headers: ifMatch(version) });
    }),
);

function changedMeanwhile(cents: number | null): Attempt {
  const now = cents === null ? "was removed" : `is ${formatCents(cents)} now`;
  const problem = { code: "conflict", message: `Its limit ${now}.`, fields: {}, requestId: null } as const;
  return { ok: false, problem };
}

/** Archives many projects. */
export const archiveProjects = defineAction(
  z.strictObject({ projects: z.array(z.strictObject({ id: z.string() })).check(...MANY) }),
  ({ projects }) =>
    forEachOf(projects, async ({ id }): Promise<Attempt> => {
      const params = { project_id: id };
      const current = await callGateway("retrieveProject", { params });
      if (!current.ok) return current;
      const { version } = current.data;
      return callGateway("archiveProject", { params, headers: ifMatch(version) });
    }),
);

/** One after the other, so that the reply says of each whether it was done. */
async function forEachOf<Project extends { readonly id: string }>(
  projects: readonly Project[],
  change: (project: Project) => Promise<Attempt>,
): Promise<{ ok: true; data: ManyOutcome } | { ok: false; problem: Problem }> {
  const refused: { id: string; message: string }[] = [];
  for (const project of projects) {
    const reply = await change(project);
    if (reply.ok) continue;
    if (reply.problem.code === "unauthenticated" || reply.problem.code === "unreachable") return reply;
    refused.push({ id: project.id, message: reply.problem.message });
  }
  return { ok: true, data: { done: projects.length - refused.length, refused } };
}
