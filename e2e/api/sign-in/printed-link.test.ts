import { expect, test } from "bun:test";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { findDatabaseUrl } from "../../support/gateways/served-database";

let gateway: ServedGateway;
serveForAll((served) => {
  gateway = served;
});

test.each([
  ["https://console.example.com/", "https://console.example.com/sign-in"],
  ["", "http://127.0.0.1:4100/sign-in"],
])("with CONSOLE_URL %p, the printed link leads to %s", async (consoleUrl, page) => {
  const env = {
    ...process.env,
    GATEHOUSE_DATA: gateway.dataFolder,
    DATABASE_URL: findDatabaseUrl(gateway.dataFolder) ?? "",
    CONSOLE_URL: consoleUrl,
    HOST: "127.0.0.1",
    PORT: "4100",
  };
  const program = [process.execPath, "lib/gateway/main.ts", "sign-in-link"] as const;
  const { stdout } = await promisify(execFile)(program[0], program.slice(1), { env });
  const [address, token] = stdout.trim().split("#token=");
  expect(address).toBe(page);
  expect(token).toMatch(/^[\w-]{20,}$/);
});
