import type { Browser, Page } from "@playwright/test";
import { signIn } from "./sign-in";
import { type SpecificationGateway, startSpecificationGateway } from "./specification-gateway";
import { startGatehouse } from "./start-gatehouse";

/** A console signed in to a gateway that has the specification's operations and nothing else. */
export async function openSpecificationConsole(
  browser: Browser,
): Promise<{ page: Page; gateway: SpecificationGateway; stop: () => Promise<void> }> {
  const gateway = await startSpecificationGateway();
  const gatehouse = await startGatehouse({ GATEWAY_URL: gateway.url });
  const context = await browser.newContext({ baseURL: gatehouse.consoleUrl });
  const page = await context.newPage();
  await signIn(page, gateway.token);
  return {
    page,
    gateway,
    async stop() {
      await context.close();
      await gatehouse.stop();
      await gateway.stop();
    },
  };
}
