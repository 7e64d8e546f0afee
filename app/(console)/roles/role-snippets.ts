"use client";

import type { Snippet } from "@/components/ui/text/snippet-tabs";
import { callLiteral, curlSnippet, sdkSnippet, toLiteral } from "@/lib/console/snippets/api-snippets";

type Draft = {
  role_name?: string | undefined;
  description?: string | undefined;
  permissions?: readonly string[] | undefined;
};

/** Returns the API call that creates the form's role. */
export function createRoleSnippets(baseUrl: string, draft: Draft): Snippet[] {
  const body = {
    role_name: draft.role_name?.trim() || "Role name",
    ...(draft.description?.trim() ? { description: draft.description.trim() } : {}),
    permissions: draft.permissions ?? [],
  };
  const call = `const role = await client.admin.organization.roles.create(${toLiteral(body)});`;
  return [
    { id: "openai", label: "openai", code: sdkSnippet({ baseUrl, call }) },
    { id: "curl", label: "curl", code: curlSnippet({ url: `${baseUrl}/organization/roles`, body }) },
  ];
}

/** Returns the API call that saves the form's changes. */
export function changeRoleSnippets(baseUrl: string, roleId: string, change: object): Snippet[] {
  const call = callLiteral("const role = await client.admin.organization.roles.update", roleId, change);
  const url = `${baseUrl}/organization/roles/${encodeURIComponent(roleId)}`;
  return [
    { id: "openai", label: "openai", code: sdkSnippet({ baseUrl, call }) },
    { id: "curl", label: "curl", code: curlSnippet({ url, body: change }) },
  ];
}
