import { expect, test } from "bun:test";
import { isPublicAddress } from "../../http/outbound/allowed-addresses";
import { readCallbackTarget, readHost } from "./post-callback";

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.31.0.1",
  "192.0.0.192",
  "192.168.1.1",
  "198.19.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "fe80::1",
  "fe80::1%eth0",
  "fd00:ec2::254",
  "fec0::1",
  "ff02::1",
  "2001:0:1::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "not an address",
  "127.1",
])("%s is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["1.1.1.1", "100.128.0.1", "172.32.0.1", "168.63.129.17", "223.255.255.255", "2606:4700::1111"])(
  "%s is",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

const trustedHosts = ["alerts.internal", "10.0.0.7", "::1"];

test.each([
  ["https://example.com/alerts?token=1", false],
  ["https://8.8.8.8/", false],
  ["https://localhost/", false],
  ["http://alerts.internal:9000/", true],
  ["http://ALERTS.internal/", true],
  ["http://10.0.0.7/", true],
  ["http://0x0a000007/", true],
  ["https://[::1]/", true],
] as const)("%s is an address for callbacks", (address, isTrusted) => {
  expect(readCallbackTarget(address, trustedHosts)).toEqual({ url: new URL(address), isTrusted });
});

test.each([
  ["example.com/alerts", "is no address"],
  ["ftp://example.com/", "begins with ftp:"],
  ["https://ada:secret@example.com/", "user name or password"],
  ["http://example.com/", "name example.com in GATEHOUSE_CALLBACK_HOSTS"],
  ["http://alerts.internal.example.com/", "name alerts.internal.example.com in"],
  ["https://10.0.0.8/", "name 10.0.0.8 in GATEHOUSE_CALLBACK_HOSTS"],
  ["https://2130706433/", "name 127.0.0.1 in GATEHOUSE_CALLBACK_HOSTS"],
  ["https://[::ffff:10.0.0.7]/", "name ::ffff:a00:7 in GATEHOUSE_CALLBACK_HOSTS"],
])("%s is refused with a reason that doesn't repeat it", (address, why) => {
  const readTarget = () => readCallbackTarget(address, trustedHosts);
  expect(readTarget).toThrow(why);
  expect(readTarget).not.toThrow("secret");
});

test("a trusted host is named as addresses spell it", () => {
  expect(["Alerts.Internal", "10.0.0.7", "::1", "[::1]", "0x7f.1"].map(readHost)).toEqual([
    "alerts.internal",
    "10.0.0.7",
    "::1",
    "::1",
    "127.0.0.1",
  ]);
  for (const text of [
    "http://a",
    "a/b",
    "a:80",
    "a:443",
    "[::1]:9",
    "a b",
    "ada@a",
    "*",
    "10.0.0.0/8",
    "a?b",
    "",
  ]) {
    expect([text, readHost(text)]).toEqual([text, null]);
  }
});
