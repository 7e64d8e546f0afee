import type { BrowserContext } from "@playwright/test";
import { adminApi } from "../clients/admin-api";
import type { Gatehouse } from "../programs/start-gatehouse";

/** Selects a project as the console's own project menu does. */
export function selectProject(
  context: Pick<BrowserContext, "addCookies">,
  { consoleUrl }: Pick<Gatehouse, "consoleUrl">,
  projectId: string,
): Promise<void> {
  return context.addCookies([{ name: "gatehouse_project", value: projectId, url: consoleUrl }]);
}

/**
 * Creates a project named after the test, and selects it.
 * @returns its id.
 */
export async function createSelectedProject(
  context: Pick<BrowserContext, "addCookies">,
  gatehouse: Gatehouse,
  title: string,
): Promise<string> {
  const { id } = await adminApi(gatehouse).createProject(title.slice(0, 100));
  await selectProject(context, gatehouse, id);
  return id;
}
