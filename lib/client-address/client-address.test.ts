import { expect, test } from "bun:test";
import { readSignedAddress, signAddress } from "./signed-address";
import { readTrustedProxies } from "./trusted-proxies";

const secret = new Uint8Array(32).fill(7);
const nowMs = 1_800_000_000_000;

test("accepts a signed address for five minutes, under one secret", () => {
  for (const address of ["203.0.113.9", "2001:db8::1"]) {
    const signed = signAddress(address, secret, nowMs);
    expect(readSignedAddress(signed, secret, nowMs + 300_000)).toBe(address);
    expect(readSignedAddress(signed, secret, nowMs + 300_001)).toBeNull();
    expect(readSignedAddress(signed, new Uint8Array(32), nowMs)).toBeNull();
    expect(readSignedAddress(signed.replace(address, "198.51.100.1"), secret, nowMs)).toBeNull();
    expect(readSignedAddress(signed.replace("18", "17"), secret, nowMs)).toBeNull();
  }
  for (const forged of [
    "",
    "203.0.113.9",
    `${nowMs}..203.0.113.9`,
    `${nowMs}.${"A".repeat(43)}.203.0.113.9`,
  ]) {
    expect(readSignedAddress(forged, secret, nowMs)).toBeNull();
  }
});

test.each([
  ["nobody is trusted", "", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
  ["a stranger's word", "10.0.0.0/8", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
  ["a proxy's word", "10.0.0.0/8", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["a stranger's word before a proxy's", "10.0.0.0/8", "10.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
  ["proxies in a row", "10.0.0.1,10.0.0.2", "10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
  ["a proxy that says nothing", "10.0.0.1", "10.0.0.1", null, "10.0.0.1"],
  ["a proxy that says nonsense", "10.0.0.1", "10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"],
  ["IPv4 over IPv6", "10.0.0.1", "::ffff:10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
  ["IPv6", "fd00::/8", "fd00::1", "[2001:DB8::1]:443", "2001:db8::1"],
])("who asks: %s", (_, trusted, peer, forwarded, client) => {
  expect(readTrustedProxies(trusted).findClient(peer, forwarded)).toBe(client);
});

test.each(["proxy.local", "10.0.0.0/33", "10.0.0.0/8/8", "::/129", "10.0.0.0/x", "10.0.0.1/"])(
  "%s is no proxy",
  (entry) => {
    expect(() => readTrustedProxies(`10.0.0.1, ${entry}`)).toThrow(`"${entry}"`);
  },
);
