import { expect, type Locator, type Page } from "@playwright/test";

/** No screen has this many stops before its last control. */
const MOST_STOPS = 120;

type Focus = { name: string; isLost: boolean; isMarked: boolean; isInView: boolean };

/** Presses Tab until the element has the focus. Each stop on the way is visible and is where the focus can be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    const focus = await readFocus(page);
    passed.push(focus.name);
    // At the end of the page the browser's own controls have the focus, before it begins again.
    if (!focus.isLost) expect(focus, focus.name).toMatchObject({ isMarked: true, isInView: true });
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab never reached ${target}. It passed:\n${passed.join("\n")}`);
}

/** Expects that the focus is on an element of the page, where people see it. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => readFocus(page)).toMatchObject({ isLost: false, isMarked: true, isInView: true });
}

/** Chooses an option of the focused combobox by its arrow keys. */
export async function chooseByArrows(page: Page, field: Locator, option: string): Promise<void> {
  await page.keyboard.press("ArrowDown");
  const options = page.getByRole("listbox").getByRole("option");
  await expect(options.first()).toBeVisible();
  await page.keyboard.press("Home");
  for (let left = await options.count(); left > 0; left--) {
    const active = page.locator(`[id="${await field.getAttribute("aria-activedescendant")}"]`);
    if ((await active.textContent())?.startsWith(option)) return page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
  }
  throw new Error(`No arrow key reached ${option}`);
}

/** Opens the palette, and runs the first command that is found for the text. */
export async function goByPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+K");
  await expect(page.getByRole("combobox", { name: "Screen, project or command" })).toBeFocused();
  await page.keyboard.type(text);
  await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
  await page.keyboard.press("Enter");
}

function readFocus(page: Page): Promise<Focus> {
  return page.evaluate(async () => {
    // What comes into view under the focus does so with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const element = document.activeElement;
    if (!element || element === document.body) {
      return { name: "nothing", isLost: true, isMarked: false, isInView: false };
    }
    const isDrawn = (part: Element | null, pseudo?: string) => {
      const style = part && getComputedStyle(part, pseudo);
      return style !== null && style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1;
    };
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
    return {
      name: `${element.tagName.toLowerCase()} ${element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40) ?? ""}`,
      isLost: false,
      // A field within a box is marked by its box. The main landmark only keeps the place for the next Tab.
      isMarked:
        element.id === "main" ||
        isDrawn(element) ||
        isDrawn(element, "::after") ||
        isDrawn(element.parentElement),
      isInView:
        width > 0 &&
        height > 0 &&
        bottom > 0 &&
        right > 0 &&
        top < window.innerHeight &&
        left < window.innerWidth,
    };
  });
}
