import { expect, test } from "../../support/fixtures/test";
import { sendMessage } from "../../support/pages/message-box";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";
import { startBufferingProxy } from "../../support/servers/buffering-proxy";

test("behind a proxy that buffers an answer still comes word by word, and Stop stops it", async ({
  page,
  context,
  gatehouse,
}, { title }) => {
  const proxy = await startBufferingProxy(gatehouse.consoleUrl);
  try {
    await createSelectedProject(context, gatehouse, title);
    await signIn(page, gatehouse);
    await page.goto(`${proxy.origin}/playground?model=sandbox-slow`);
    await expect(page.getByLabel("Model", { exact: true })).toHaveValue("sandbox-slow");
    // The words of a whole minute: held back, none of them would be seen before the test's own time is over.
    await sendMessage(page, "many words\n\n".repeat(300));
    await expect(page.getByRole("article")).toContainText("many words");
    await page.getByRole("button", { name: /^Stop( Esc)?$/ }).click();
    await expect(page.getByRole("article").getByText("Stopped")).toBeVisible();
  } finally {
    await proxy.stop();
  }
});
