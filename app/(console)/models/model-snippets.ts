import type { Snippet } from "@/components/ui/text/snippet-tabs";
import { curlSnippet } from "@/lib/console/snippets/api-snippets";

/** Returns the API call that changes a model's rate or prices. */
export function changeModelSnippets(baseUrl: string, modelId: string, change: object): Snippet[] {
  const url = `${baseUrl}/organization/models/${encodeURIComponent(modelId)}`;
  return [{ id: "curl", label: "curl", code: curlSnippet({ url, body: change }) }];
}

/** Returns the API call that adds the model described by a form. */
export function createModelSnippets(baseUrl: string, draft: object): Snippet[] {
  return [
    {
      id: "curl",
      label: "curl",
      code: curlSnippet({ url: `${baseUrl}/organization/models`, body: draft }),
    },
  ];
}
