import type { Browser, Page } from "@playwright/test";
import type { ConsoleElsewhere } from "../fixtures/elsewhere";
import { type SpecificationGateway, startSpecificationGateway } from "../servers/specification-gateway";
import { signInWithToken } from "./sign-in";

/** A console signed in to a gateway with only the specification's operations. Opens no page. */
export async function openSpecificationConsole(
  browser: Browser,
  elsewhere: ConsoleElsewhere,
): Promise<{ page: Page; gateway: SpecificationGateway; stop: () => Promise<void> }> {
  const gateway = await startSpecificationGateway(elsewhere.gatewayPort);
  const context = await browser.newContext({ baseURL: elsewhere.consoleUrl });
  const page = await context.newPage();
  await signInWithToken(page, elsewhere, gateway.token);
  return {
    page,
    gateway,
    async stop() {
      await context.close();
      await gateway.stop();
    },
  };
}
