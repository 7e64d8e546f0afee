import { afterAll, beforeAll, expect, test } from "bun:test";
import { HOUR_MS } from "@/lib/contract/durations";
import { joinMember, PASSWORD } from "../../support/clients/join-member";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { serveMail } from "../../support/servers/mail-server";

let mail: Awaited<ReturnType<typeof serveMail>>;
let gateway: ServedGateway;
let ask: ReturnType<typeof createOrganizationClient>;

beforeAll(async () => {
  mail = await serveMail();
  const settings = { server: mail.url, from: "Gatehouse <gate@example.com>" };
  gateway = await serveGateway({ signIn: { consoleUrl: "https://console.test", mail: settings } });
  ask = createOrganizationClient(gateway.baseUrl);
});
afterAll(async () => {
  await gateway.close();
  await mail.close();
});

const tokenIn = (text: string, path: string) =>
  new RegExp(`https://console\\.test/${path}#token=(\\S+)`).exec(text)?.[1] ?? "";

test("an invitation's link is mailed only to the invited person", async () => {
  const invited = await joinMember(gateway, "ada@example.com");
  const { from, to, text } = await mail.next();
  expect(from).toContain("<gate@example.com>");
  expect(to).toContain("<ada@example.com>");
  expect((await ask("POST", "/invites/preview", { token: tokenIn(text, "invite") })).error.code).toBe(
    "invalid_invite",
  );
  expect(invited.id).toMatch(/^user_/);
});

test("the link for a forgotten password is mailed; the reply reveals nothing about the address", async () => {
  const asked = await ask("POST", "/password_resets", { email: "Ada@example.com" });
  const stranger = await ask("POST", "/password_resets", { email: "nobody@example.com" });
  expect(stranger.body).toEqual(asked.body);
  const { to, text } = await mail.next();
  expect(to).toContain("<ada@example.com>");
  const draft = { token: tokenIn(text, "new-password"), password: "second of horses" };
  expect((await ask("POST", "/password_resets/use", draft)).status).toBe(200);
  const signIn = (password: string) => ask("POST", "/sign_in", { email: "ada@example.com", password });
  expect((await signIn(PASSWORD)).status).toBe(401);
  expect((await signIn("second of horses")).status).toBe(200);
  expect(mail.unread()).toBe(0);
});

test("an address gets three such mails an hour", async () => {
  await joinMember(gateway, "ben@example.com");
  const request = () => ask("POST", "/password_resets", { email: "ben@example.com" });
  const statuses: number[] = [];
  for (let time = 0; time < 4; time++) statuses.push((await request()).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  gateway.pass(HOUR_MS);
  expect((await request()).status).toBe(200);
});
