import type { FileChooser, Page } from "@playwright/test";

/**
 * Attaches files to the playground's message by its button, as a person does. A press that comes before the page's
 * script acts once that has loaded; files that are put into the hidden field by then would be lost.
 */
export async function attachFiles(page: Page, files: Parameters<FileChooser["setFiles"]>[0]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach images or files" }).click();
  await (await chooser).setFiles(files);
}
