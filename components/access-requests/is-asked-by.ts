import type { AccessRequest, AccessRequestDraft } from "@/lib/contract/operations/people/access-requests";

type Asked = Pick<AccessRequest, "kind" | "project_id" | "model" | "limits" | "permission">;

/** Whether a request asks for what a draft asks for. A permission of the organization has no project. */
export function isAskedBy(draft: AccessRequestDraft, asked: Asked): boolean {
  if (draft.permission !== undefined)
    return (
      asked.permission === draft.permission &&
      (asked.project_id === null || asked.project_id === draft.project_id)
    );
  // What is asked for of a spend limit may be hidden from its asker, and one of them waits at a time.
  if (draft.spend_limit !== undefined)
    return asked.kind === "spend_limit" && asked.project_id === (draft.project_id ?? null);
  const names = Object.keys(draft.limits ?? {}) as (keyof NonNullable<Asked["limits"]>)[];
  return (
    asked.kind === (draft.limits ? "rate_limits" : "model") &&
    asked.model === draft.model &&
    asked.project_id === draft.project_id &&
    names.length === Object.keys(asked.limits ?? {}).length &&
    names.every((name) => asked.limits?.[name] === draft.limits?.[name])
  );
}
