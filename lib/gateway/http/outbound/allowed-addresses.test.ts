import { expect, test } from "bun:test";
import { createOpenaiClient } from "../../providers/openai/openai-server";
import { AddressNotAllowed, CheckedHost, type ResolveHost } from "./allowed-addresses";

/** Answers with these lists of addresses in turn, and then keeps returning the last one. */
function resolver(...answers: string[][]): ResolveHost & { asked: number } {
  const resolve = (_host: string, _options: { all: true }, answer: Parameters<ResolveHost>[2]) => {
    const addresses = answers[Math.min(resolve.asked++, answers.length - 1)] ?? [];
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  resolve.asked = 0;
  return resolve;
}

test.each(["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fd00:ec2::254", "::ffff:127.0.0.1"])(
  "a name that leads to %s is refused",
  async (address) => {
    await expect(new CheckedHost("models.example", resolver([address])).find()).rejects.toThrow(
      AddressNotAllowed,
    );
    await expect(new CheckedHost(address).find()).rejects.toThrow("name it in GATEHOUSE_PROVIDER_HOSTS");
  },
);

test("takes the public address of a name, and looks it up once for concurrent callers", async () => {
  const resolve = resolver(["10.0.0.7", "8.8.8.8"]);
  const host = new CheckedHost("models.example", resolve);
  expect(host.address).toBeNull();
  expect(await Promise.all([host.find(), host.find()])).toEqual(["8.8.8.8", "8.8.8.8"]);
  expect([host.address, resolve.asked]).toEqual(["8.8.8.8", 1]);
});

test("refuses a name that later resolves to this machine", async () => {
  let visits = 0;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(String(++visits)) });
  const resolve = resolver(["8.8.8.8"], ["127.0.0.1"]);
  const host = new CheckedHost("models.example", resolve);
  expect(await host.find()).toBe("8.8.8.8");
  await expect(host.find()).rejects.toThrow(AddressNotAllowed);

  const baseUrl = `http://models.example:${server.port}/v1`;
  const client = createOpenaiClient(
    { baseUrl, apiKey: null, auth: "bearer" as const, messagesBaseUrl: null, isTrusted: false },
    { nowMs: () => 0 },
    resolver(["127.0.0.1"]),
  );
  const call = { requestId: "req_1", endpoint: "chat/completions" as const, body: "{}", stream: false };
  await expect(client.send(call).reply).rejects.toThrow(AddressNotAllowed);
  await expect(client.reach?.(1_000)).rejects.toThrow(AddressNotAllowed);
  expect(visits).toBe(0);
  await server.stop(true);
});
