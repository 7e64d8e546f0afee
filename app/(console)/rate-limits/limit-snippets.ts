import { limitFields } from "@/components/rate-limits/limit-fields";
import type { Snippet } from "@/components/ui/text/snippet-tabs";
import { callLiteral, curlSnippet, sdkSnippet } from "@/lib/console/snippets/api-snippets";

type Typed = Readonly<Record<string, number | null | undefined>>;

/** Returns the API call that saves the given limits. Leaves out values that aren't numbers yet. */
export function limitSnippets(target: {
  baseUrl: string;
  projectId: string;
  rateLimitId: string;
  values: Typed;
}): Snippet[] {
  const { baseUrl, projectId, rateLimitId, values } = target;
  const body = Object.fromEntries(
    limitFields
      .map(({ name }) => [name, values[name]] as const)
      .filter(([, value]) => typeof value === "number" || value === null),
  );
  const path = `/organization/projects/${encodeURIComponent(projectId)}/rate_limits/${encodeURIComponent(rateLimitId)}`;
  const update = "await client.admin.organization.projects.rateLimits.updateRateLimit";
  const call = callLiteral(update, rateLimitId, { project_id: projectId, ...body });
  return [
    { id: "curl", label: "curl", code: curlSnippet({ url: `${baseUrl}${path}`, body }) },
    { id: "openai", label: "openai", code: sdkSnippet({ baseUrl, call }) },
  ];
}
