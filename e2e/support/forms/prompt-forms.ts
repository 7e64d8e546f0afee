import { adminApi } from "../clients/admin-api";
import type { Gatehouse } from "../programs/start-gatehouse";
import type { ScreenForm } from "./screen-form";

/** The forms of a prompt's page. Each test uses a new prompt. */
export const promptForms: Readonly<Record<string, ScreenForm>> = {
  "prompt name": {
    file: "app/(console)/prompts/rename-prompt.tsx",
    path: "/prompts/one",
    createPage: makePrompt,
    button: "Rename",
    field: "Name",
    input: "Typed",
    saved: "Greeting",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
  "cases of a prompt": {
    file: "app/(console)/prompts/cases/cases-form.tsx",
    path: "/prompts/one",
    createPage: async (gatehouse, projectId) => `${await makePrompt(gatehouse, projectId)}?tab=cases`,
    field: "name",
    calledField: "Cases",
    input: "Typed",
    saved: "Ada",
    discardTitle: /^Discard 1 unsaved change\?$/,
  },
};

async function makePrompt(gatehouse: Gatehouse, projectId: string): Promise<string> {
  const { call } = adminApi(gatehouse);
  const { id } = await call<{ id: string }>("POST", `/projects/${projectId}/prompts`, {
    name: "Greeting",
    content: {
      endpoint: "chat_completions",
      body: { messages: [{ role: "user", content: "Greet {{name}}" }] },
    },
    cases: [{ variables: { name: "Ada" }, checks: [] }],
  });
  return `/projects/${projectId}/prompts/${id}`;
}
