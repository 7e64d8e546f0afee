import { expect, test } from "bun:test";
import { callLiteral, curlSnippet, sdkSnippet, toLiteral } from "./api-snippets";

test("a shell passes the exact body to curl, with any quotes and dollar signs", () => {
  const body = { role_name: `O'Brien "$HOME" \\ \`id\``, permissions: ["api.roles.read"] };
  const snippet = curlSnippet({ url: "http://127.0.0.1:8080/organization/roles", body });
  const shell = Bun.spawnSync(["sh", "-c", `curl() { shift $(($# - 1)); printf %s "$1"; }; ${snippet}`]);
  expect(JSON.parse(shell.stdout.toString())).toEqual(body);
});

test("a literal leaves keys bare and strings untouched", () => {
  const value = { max_requests_per_1_minute: 3, description: '\n"a": b' };
  const literal = toLiteral(value);
  expect(literal).toContain("  max_requests_per_1_minute: 3");
  expect(new Function(`return (${literal})`)()).toEqual(value);
});

test("the SDK is pointed at this gateway and reads its key from the environment", () => {
  const snippet = sdkSnippet({ baseUrl: "http://127.0.0.1:8080/v1", call: "await client.models.list();" });
  expect(snippet).toContain('baseURL: "http://127.0.0.1:8080/v1"');
  expect(snippet).toContain("adminAPIKey: process.env.GATEHOUSE_ADMIN_KEY");
  expect(snippet.endsWith("await client.models.list();")).toBe(true);
});

test("a call hands over its arguments as they are, however many lines they take", () => {
  const change = { description: "two\nlines", permissions: ["api.roles.read"] };
  const run = new Function("update", `return ${callLiteral("update", "role_1", change)}`);
  expect(run((...parameters: unknown[]) => parameters)).toEqual(["role_1", change]);
});
