import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { chooseModel } from "../../support/pages/choose-model";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { selectProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

test.use({ scene: "playground schema" });

const schema = {
  type: "object",
  properties: { name: { type: "string" }, words: { type: "string" } },
  required: ["name", "words"],
  additionalProperties: false,
};

test("an answer is checked against its JSON schema while it streams, and as a whole at its end", async ({
  page,
  context,
  gatehouse,
}) => {
  const { id } = await adminApi(gatehouse).createProject("Schema");
  await selectProject(context, gatehouse, id);
  await signIn(page, gatehouse);
  await page.goto("/playground?model=sandbox-slow");
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  const answer = page.getByRole("article").last();
  await page.getByLabel("Format", { exact: true }).selectOption("JSON schema");
  await page.getByLabel("JSON schema", { exact: true }).fill("{");
  await message.fill("{}");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/This is not JSON/).first()).toBeVisible();
  await expect(page.getByLabel("JSON schema", { exact: true })).toBeFocused();
  await expect(message).toHaveValue("{}");
  await page.getByLabel("JSON schema", { exact: true }).fill(JSON.stringify(schema));

  // sandbox-slow says these words again, ten a second.
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(" ");
  await message.fill(`{"name": "Ada", "words": "${words(40)}"}`);
  await page.keyboard.press("Enter");
  await expect(answer.getByText("Fits the JSON schema so far")).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await expect(answer.getByText("Fits the JSON schema", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expectNoAxeViolations(page);

  await message.fill(`{"name": 5, "words": "${words(100)}"}`);
  await page.keyboard.press("Enter");
  await expect(answer.getByText("Breaks the JSON schema")).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(answer.getByText("Stopped", { exact: true })).toBeVisible();

  await chooseModel(page, "sandbox-echo");
  await message.fill(`{"name": "Ada"}`);
  await page.keyboard.press("Enter");
  await expect(answer.getByText("Does not fit the JSON schema")).toBeVisible();
  await expectNoAxeViolations(page);
});
