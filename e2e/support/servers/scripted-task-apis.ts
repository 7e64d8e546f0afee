import type { ScriptedProvider } from "./scripted-provider";

const mapping = (outputs: object) => ({
  makes: ["image"],
  submit: { path: "/jobs", body: { prompt: "{prompt}", n: "{count}" }, id: "/id" },
  poll: {
    path: "/jobs/{id}",
    status: "/status",
    statuses: { running: ["going"], succeeded: ["done"], failed: ["failed"] },
    progress: { pointer: "/progress" },
  },
  outputs,
  error: { message: "/error" },
});

/** The ways to get a task's files, each a provider and a model of that name. */
const ways = {
  urls: { list: "/files", url: "/url" },
  stored: { list: "/files", url: "/url", private_hosts: ["127.0.0.1"] },
  inline: { list: "/files", base64: "" },
  paths: { path: "/jobs/{id}/files/{position}" },
};

/** A configuration file with the scripted provider behind four mappings of a task API. */
export function scriptedTaskApis({ baseUrl }: Pick<ScriptedProvider, "baseUrl">): string {
  const { origin } = new URL(baseUrl);
  const unit_price = { unit: "image", amount: "0.04" };
  return JSON.stringify({
    providers: Object.entries(ways).map(([id, outputs]) => ({
      id,
      kind: "http",
      base_url: origin,
      api_key: "mapped-secret",
      task_api: mapping(outputs),
    })),
    models: Object.keys(ways).map((id) => ({
      id,
      family: "image",
      rate: "1",
      unit_price,
      routes: [{ provider: id, model: "x" }],
    })),
  });
}
