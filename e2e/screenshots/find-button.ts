import type { Page } from "@playwright/test";

/** The first button of the page with this name. */
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

export const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole("dialog").getByRole("button", { name });
