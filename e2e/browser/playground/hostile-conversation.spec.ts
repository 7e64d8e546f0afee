import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { openAsMember } from "../../support/pages/open-as-member";

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
function buildContent(answer: string, schema: object) {
  const messages = [
    { id: "m1", role: "user", text: "Hello" },
    { id: "m2", role: "assistant", text: answer, run: { ...run, schema: JSON.stringify(schema) } },
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
  await share("conv_hostile01", buildContent(JSON.stringify(`${"a".repeat(60)}b`), backtracking));
  await share("conv_hostile02", buildContent(`"${"~".repeat(20_000)}\``, {}));
  await share("conv_harmless1", buildContent('{"a":1}', { type: "object", required: ["a"] }));

  await page.goto("/playground?conversation=conv_hostile01");
  await expect(
    page.getByText("The schema can’t be checked here: it takes longer than 2 seconds."),
  ).toBeVisible();
  await page.goto("/playground?conversation=conv_hostile02");
  await expect(page.getByText("The answer is not JSON.")).toBeVisible();
  await page.goto("/playground?conversation=conv_harmless1");
  await expect(page.getByText("Fits the JSON schema", { exact: true })).toBeVisible();
});

test("what would freeze a page is shown as it is written: quotes and lists in each other, wide tables, giant images", async ({
  page,
  context,
  gatehouse,
}) => {
  await openAsMember(context, gatehouse, { email: "ida@example.com", name: "Ida", role: "prompt_tester" });
  const columns = (mark: string) => `|${mark.repeat(1_000)}`;
  const giant = Buffer.from("89504e470d0a1a0a0000000d4948445200004e2000004e20", "hex").toString("base64");
  const attachments = [
    { name: "giant.png", mimeType: "image/png", data: giant, kind: "image" },
    { name: "drawing.png", mimeType: "image/svg+xml", data: btoa("<svg onload='alert(1)'/>"), kind: "image" },
  ];
  const texts = [
    `${">".repeat(5_000)} quoted`,
    `${"- ".repeat(5_000)}listed`,
    `${columns("a|")}\n${columns("-|")}\n${"|\n".repeat(2_000)}`,
    `# Read on\n\n${"x".repeat(100_000)}`,
  ];
  const content = buildContent("", {});
  const messages = texts.flatMap((text, index) => [
    { id: `q${index}`, role: "user", text: "Go on", attachments },
    { id: `a${index}`, role: "assistant", text, run },
  ]);
  const panes = content.panes.map((pane) => ({ ...pane, messages }));
  await adminApi(gatehouse).call("POST", "/conversations/conv_hostile03", {
    title: "Shared",
    is_shared: true,
    content: { ...content, shared: { ...content.shared, format: "text" }, panes },
  });
  await page.goto("/playground?conversation=conv_hostile03");
  await expect(page.getByRole("heading", { name: "Read on" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/quoted$/)).toBeVisible();
  await expect(page.getByRole("article").locator("blockquote, table, li")).toHaveCount(0);
  await expect(page.locator("[style*='background-image']")).toHaveCount(0);
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("still here");
});
