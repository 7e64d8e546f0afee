import type { Snippet } from "@/components/ui/snippet-tabs";
import { curlSnippet, sdkSnippet, toLiteral } from "@/lib/console/api-snippets";
import { limitFields } from "./limit-fields";

type Typed = Readonly<Record<string, number | null | undefined>>;

/** The call that saves what a form holds, or only its `changed` fields. What is no number yet is left out. */
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
      .filter(([, value]) => value !== undefined && !Number.isNaN(value)),
  );
  const path = `/organization/projects/${encodeURIComponent(projectId)}/rate_limits/${encodeURIComponent(rateLimitId)}`;
  const update = "client.admin.organization.projects.rateLimits.updateRateLimit";
  const call = `const rateLimit = await ${update}(\n${indent(JSON.stringify(rateLimitId))},\n${indent(toLiteral({ project_id: projectId, ...body }))},\n);`;
  return [
    { id: "curl", label: "curl", code: curlSnippet({ url: `${baseUrl}${path}`, body }) },
    { id: "openai", label: "openai", code: sdkSnippet({ baseUrl, call }) },
  ];
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}
