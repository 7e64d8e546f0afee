"use server";

import * as z from "zod/mini";
import { sessionData } from "@/components/queries/session/session-data";
import type { FoundObject } from "@/components/shell/shell-data";
import { beginsWords } from "@/components/ui/search/match-words";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { guidePages, listHeadings, readGuidePage } from "@/lib/console/guide";
import { paths } from "@/lib/console/paths";
import { isKnownToHold } from "@/lib/console/permissions-in";
import { readRateLimitModel } from "@/lib/contract/ids";
import type { SearchResult } from "@/lib/contract/operations/search/search";

type FoundKind = { kind: string; href: (result: SearchResult) => string };

/** The name of each kind in the palette, and the page of its objects. */
const kinds: Readonly<Record<SearchResult["kind"], FoundKind>> = {
  project: { kind: "Project", href: ({ id }) => paths.project(id) },
  member: { kind: "Member", href: ({ id }) => paths.member(id) },
  group: { kind: "Group", href: ({ id }) => paths.group(id) },
  role: { kind: "Role", href: ({ id }) => paths.role(id) },
  model: { kind: "Model", href: ({ id }) => paths.model(id) },
  provider: { kind: "Provider", href: () => paths.providers() },
  project_api_key: {
    kind: "Key",
    href: ({ name, project }) => paths.keys(project?.id, { q: name }),
  },
  admin_api_key: { kind: "Admin key", href: () => paths.adminKeys() },
  rate_limit: {
    kind: "Rate limit",
    href: ({ id, project }) =>
      project ? paths.rateLimit(project.id, readRateLimitModel(id)) : paths.rateLimits(),
  },
  prompt: { kind: "Prompt", href: ({ id, project }) => paths.prompt(project?.id, id) },
};

/**
 * Finds objects by name or id among those the person can see, in every project; then payments by their reference, and
 * pages of the guide.
 */
export const findObjects = defineAction(z.string().check(z.minLength(1), z.maxLength(200)), async (text) => {
  const { me, currentProjectId } = await sessionData();
  const query = { text, ...(currentProjectId !== null && { project_id: currentProjectId }) };
  const [reply, payments] = await Promise.all([
    callGateway("searchObjects", { query }),
    isKnownToHold(me, "api.ledger.read") ? findPayments(text) : [],
  ]);
  // A gateway that can't search finds no objects, and the palette finds screens all the same.
  if (!reply.ok)
    return reply.problem.code === "unsupported" ? { ok: true, data: await findInGuide(text) } : reply;
  const objects = reply.data.data.map((result) => toFoundObject(result, currentProjectId));
  return { ok: true, data: [...objects, ...payments, ...(await findInGuide(text))] };
});

const MAX_PAYMENT_RESULTS = 5;

/** Finds the newest payments by a part of their reference. */
async function findPayments(text: string): Promise<FoundObject[]> {
  const query = { kind: "payment", reference: text, limit: String(MAX_PAYMENT_RESULTS) } as const;
  const reply = await callGateway("listLedger", { query });
  if (!reply.ok) return [];
  return reply.data.data.map(({ id, reference }) => ({
    kind: "Payment",
    id,
    label: reference ?? id,
    href: paths.ledgerEntry(id),
  }));
}

const MAX_GUIDE_RESULTS = 5;

/** Finds pages of the guide by title, then by the headings in them. */
async function findInGuide(text: string): Promise<FoundObject[]> {
  const pages = await Promise.all(
    guidePages.map(async (page) => {
      const [title, ...headings] = listHeadings(await readGuidePage(page));
      return { page, title: title?.text ?? page, headings };
    }),
  );
  const found = (label: string, href: string) => ({ kind: "Guide", id: href, label, href });
  const titles = pages
    .filter(({ title }) => beginsWords(title, text))
    .map(({ page, title }) => found(title, paths.guide(page)));
  const headings = pages.flatMap(({ page, title, headings: all }) =>
    all
      .filter((heading) => beginsWords(heading.text, text))
      .map((heading) => found(`${title}: ${heading.text}`, paths.guide(page, heading.anchor))),
  );
  return [...titles, ...headings].slice(0, MAX_GUIDE_RESULTS);
}

function toFoundObject(result: SearchResult, currentProjectId: string | null): FoundObject {
  const { id, name, project } = result;
  const { kind, href } = kinds[result.kind];
  const found = { kind, id, label: name, href: href(result) };
  if (project === null || project.id === currentProjectId) return found;
  return { ...found, label: `${name} in ${project.name}` };
}
