import { expect, test } from "bun:test";
import { describeFirstKey, describeRunning } from "@/lib/dev/launch/describe-running";

const addresses = { consoleUrl: "http://127.0.0.1:3000", gatewayUrl: "http://127.0.0.1:8080" };
const text = (gateway: Parameters<typeof describeRunning>[0]["gateway"]) =>
  describeRunning({ ...addresses, gateway }).join("\n");

test("a first start shows the link, the key, the base address and the data", () => {
  const lines = text({ adminKey: "gk_admin_x", signInToken: "once", data: "/srv/gatehouse" });
  expect(lines).toContain("http://127.0.0.1:3000/sign-in#token=once");
  expect(lines).toContain("gk_admin_x");
  expect(lines).toContain("http://127.0.0.1:8080/v1");
  expect(lines).toContain("/srv/gatehouse");
});

test("the first admin key is shown by itself, before what takes long", () => {
  expect(describeFirstKey({ adminKey: "gk_admin_x" }).join()).toContain("gk_admin_x");
  expect(describeFirstKey({})).toEqual([]);
});

test("a start after which nobody has got in shows another link, without the key", () => {
  const lines = text({ signInToken: "another", data: "/srv/gatehouse" });
  expect(lines).toContain("/sign-in#token=another");
  expect(lines).not.toContain("Admin key");
});

test("a later start, which has no link to show, says how to get one", () => {
  expect(text({ data: "/srv/gatehouse" })).toContain("npm run sign-in-link");
});

test("for a gateway elsewhere nothing is claimed about its data or its keys", () => {
  const lines = text(null);
  expect(lines).toContain("http://127.0.0.1:8080/v1");
  expect(lines).not.toMatch(/Data|Sign in|Admin key/);
});
