import { expect, test } from "bun:test";
import { isOwnOrigin, isOwnRead, type RequestOrigin } from "./origin";

const own: RequestOrigin = {
  origin: "http://127.0.0.1:3000",
  host: "127.0.0.1:3000",
  forwardedHost: null,
  secFetchSite: "same-origin",
};

test("a page of the console may change things, from an old browser too", () => {
  expect(isOwnOrigin(own, null)).toBe(true);
  expect(isOwnOrigin({ ...own, secFetchSite: null }, null)).toBe(true);
});

test.each([
  null,
  "",
  "null",
  "http://evil.example",
  "http://127.0.0.1:3001",
  "http://127.0.0.1:3000.evil.example",
  "http://127.0.0.1:3000/",
  "http://evil.example@127.0.0.1:3000",
  "file://127.0.0.1:3000",
  "127.0.0.1:3000",
])("an Origin of %p may not", (origin) => expect(isOwnOrigin({ ...own, origin }, null)).toBe(false));

test.each(["cross-site", "same-site", "none"])("what the browser calls %s may not", (secFetchSite) =>
  expect(isOwnOrigin({ ...own, secFetchSite }, null)).toBe(false),
);

test("behind a proxy the forwarded host or the configured origin counts", () => {
  const proxiedRequest = { ...own, origin: "https://console.example", host: "10.0.0.5:3000" };
  expect(isOwnOrigin(proxiedRequest, null)).toBe(false);
  expect(isOwnOrigin({ ...proxiedRequest, forwardedHost: "console.example, inner.example" }, null)).toBe(
    true,
  );
  expect(isOwnOrigin(proxiedRequest, "https://console.example")).toBe(true);
  expect(
    isOwnOrigin({ ...proxiedRequest, origin: "http://console.example" }, "https://console.example"),
  ).toBe(false);
});

test("reads are answered to the console's own pages and to programs, not to other sites", () => {
  expect(isOwnRead(own)).toBe(true);
  expect(isOwnRead({ ...own, secFetchSite: null })).toBe(true);
  expect(isOwnRead({ ...own, secFetchSite: "cross-site" })).toBe(false);
  expect(isOwnRead({ ...own, secFetchSite: "same-site" })).toBe(false);
});
