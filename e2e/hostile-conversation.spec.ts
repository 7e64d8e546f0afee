import { adminApi } from "./support/admin-api";
import { openAsMember } from "./support/open-as-member";
import { expect, test } from "./support/test";

const settings = {
  endpoint: "chat_completions",
  instruction: "",
  temperature: "",
  top_p: "",
  max_tokens: "",
  stop: "",
  seed: "",
  presence_penalty: "",
  frequency_penalty: "",
  reasoning_effort: "",
  tools: "",
  replies: "",
  further: "",
};

const run = {
  model: "sandbox-echo",
  state: "finished",
  requestId: null,
  loweredTo: null,
  usage: null,
  finishReason: "stop",
  firstWordMs: 1,
  totalMs: 1,
  problem: null,
  charge: null,
  request: null,
  reply: null,
};

/** The content of a conversation with an answer, and the JSON schema it was asked for. */
function contentOf(answer: string, schema: object) {
  const messages = [
    { id: "m1", role: "user", text: "Hello" },
    { id: "m2", role: "assistant", text: answer, run },
  ];
  return {
    format: 1,
    panes: [{ id: "p1", model: "sandbox-echo", width: 1, own: null, messages }],
    shared: { ...settings, format: "schema", schema: JSON.stringify(schema) },
    draft: "",
  };
}

test("what somebody shared can't freeze the tab that reads it: a pattern that backtracks, a line of fence marks", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "rea@example.com", name: "Rea", role: "prompt_tester" });
  const share = (id: string, content: object) =>
    adminApi(gatehouse).call("POST", `/conversations/${id}`, { title: "Shared", is_shared: true, content });
  const backtracking = { type: "string", pattern: "^(a+)+$" };
  await share("conv_hostile01", contentOf(JSON.stringify(`${"a".repeat(60)}b`), backtracking));
  await share("conv_hostile02", contentOf(`"${"~".repeat(20_000)}\``, {}));
  await share("conv_harmless1", contentOf('{"a":1}', { type: "object", required: ["a"] }));

  await page.goto("/playground?conversation=conv_hostile01");
  await expect(
    page.getByText("The schema can't be checked here: it takes longer than 2 seconds."),
  ).toBeVisible();
  await page.goto("/playground?conversation=conv_hostile02");
  await expect(page.getByText("The answer is not JSON.")).toBeVisible();
  await page.goto("/playground?conversation=conv_harmless1");
  await expect(page.getByText("Fits the JSON schema", { exact: true })).toBeVisible();
});
