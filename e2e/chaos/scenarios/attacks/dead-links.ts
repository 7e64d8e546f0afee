import { adminApi } from "@/e2e/support/clients/admin-api";
import { joinMember } from "@/e2e/support/clients/join-member";
import { fetchWithKey } from "@/e2e/support/clients/send";
import { until } from "@/e2e/support/clients/until";
import { type Gateway, startGateway } from "@/e2e/support/programs/start-gateway";
import type { Scenario } from "../../scenario";

const CONNECTIONS = 8;
const PERMISSIONS = ["api.models.read"];
const STRONGER = [...PERMISSIONS, "api.payments.write"];

interface Link {
  readonly name: string;
  readonly use: { readonly path: string; readonly body: object };
  /** The change that removes the right behind the link; null for none. */
  readonly change: {
    readonly method: "POST" | "DELETE";
    readonly path: string;
    readonly body?: object;
  } | null;
}

/** Null where the gateway was killed before it answered. */
type Status = number | null;

export const deadLinks: Scenario = {
  name: "dead-links",
  does: "{size} links used while the rights behind them change, under a kill: none opens once its change was answered",
  full: 300,
  smoke: 15,
  async run({ size, random }) {
    const gateway = await startGateway();
    try {
      const links: Link[] = [];
      await fewAtOnce(size, async (n) => void links.push(await makeLink(gateway, n)));
      let isUp = Promise.withResolvers<void>();
      isUp.resolve();
      const ask = async (method: string, path: string, body?: object): Promise<Status> => {
        await isUp.promise;
        return fetchStatus(gateway, method, path, body);
      };
      const use = ({ use: { path, body } }: Link) => ask("POST", path, body);
      const faults: string[] = [];
      let [opened, settled] = [0, 0];
      const useLate = async (link: Link, when: string) => {
        const status = await use(link);
        if (status === null || status === 400) return;
        faults.push(`${link.name}: answered ${status} ${when}`);
      };
      const changing = fewAtOnce(size, async (n) => {
        const link = links[n];
        if (!link?.change) return;
        const { method, path, body } = link.change;
        const change = async () => {
          let status: Status = null;
          while (status === null) status = await ask(method, path, body);
          // A 404 is correct if the change was stored just before the kill.
          if (status !== 200 && status !== 404)
            faults.push(`${link.name}: the change was answered ${status}`);
          await useLate(link, "after the change");
        };
        const race = async () => {
          if ((await use(link)) === 200) opened++;
        };
        await Promise.all(random.chance(0.5) ? [race(), change()] : [change(), race()]);
        settled++;
      });
      const changes = links.filter(({ change }) => change).length;
      await until("the rights change", () => settled >= changes / 2);
      isUp = Promise.withResolvers();
      await gateway.restart("SIGKILL");
      isUp.resolve();
      await changing;
      await fewAtOnce(size, async (n) => {
        const link = links[n];
        if (link?.change) return useLate(link, "after the restart");
        const status = link ? await use(link) : null;
        if (status !== 200) faults.push(`${link?.name}: answered ${status} though nothing has changed`);
      });
      return { faults, figures: { changes, "opened before the change": opened } };
    } finally {
      await gateway.stop();
    }
  },
};

/** Runs `act` for the numbers below `size`, a few at a time. */
async function fewAtOnce(size: number, act: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const connection = async () => {
    while (next < size) await act(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** Makes the `n`th link, whose kind depends on `n`, with a new admin key that has the role Admin. */
async function makeLink(gateway: Gateway, n: number): Promise<Link> {
  const { call } = adminApi(gateway);
  const key = await call<{ id: string; value: string }>("POST", "/admin_api_keys", {
    name: `Maker ${n}`,
    role: "role_admin",
  });
  const maker = adminApi({ ...gateway, adminKey: key.value });
  const revoke = { method: "DELETE", path: `/admin_api_keys/${key.id}` } as const;
  const passwordLink = async () => {
    const { id } = await joinMember(gateway, `member-${n}@example.com`, { name: `Member ${n}` });
    const { token } = await maker.call<{ token: string }>("POST", `/users/${id}/password_resets`, {});
    return { id, use: { path: "/password_resets/use", body: { token, password: "third of horses" } } };
  };
  const invitation = async (role: string) => {
    const draft = { email: `invited-${n}@example.com`, role, projects: [] };
    const { token } = await maker.call<{ token: string }>("POST", "/invites", draft);
    return { path: "/invites/accept", body: { token, name: "New", password: "third of horses" } };
  };
  const kinds = [
    async (): Promise<Link> => {
      const { id, use } = await passwordLink();
      const change = { method: "POST", path: `/users/${id}`, body: { role: "owner" } } as const;
      return { name: `password ${n}, promoted`, use, change };
    },
    async (): Promise<Link> => ({
      name: `password ${n}, maker revoked`,
      use: (await passwordLink()).use,
      change: revoke,
    }),
    async (): Promise<Link> => ({
      name: `invitation ${n}, inviter revoked`,
      use: await invitation("reader"),
      change: revoke,
    }),
    async (): Promise<Link> => {
      const draft = { role_name: `Role ${n}`, permissions: PERMISSIONS };
      const { id } = await call<{ id: string }>("POST", "/roles", draft);
      const change = { method: "POST", path: `/roles/${id}`, body: { permissions: STRONGER } } as const;
      return { name: `invitation ${n}, role grown`, use: await invitation(id), change };
    },
    async (): Promise<Link> => ({
      name: `password ${n}, unchanged`,
      use: (await passwordLink()).use,
      change: null,
    }),
  ];
  const make = kinds[n % kinds.length];
  if (!make) throw new RangeError(`There is no kind of link for ${n}`);
  return make();
}

async function fetchStatus(gateway: Gateway, method: string, path: string, body?: object): Promise<Status> {
  try {
    const reply = await fetchWithKey(`${gateway.baseUrl}/organization${path}`, {
      method,
      key: gateway.adminKey,
      body,
      // One connection per call: a client may resend a request by itself if a reused connection turns out to be dead.
      keepalive: false,
    });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return null;
  }
}
