import { joinMember } from "@/e2e/support/clients/join-member";
import { until } from "@/e2e/support/clients/until";
import { openHolds } from "../../books/read-ledger";
import { reconcile } from "../../books/reconcile";
import { callGateway, findErrorCode, type Received } from "../../clients/call-gateway";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const MAX_CONCURRENT = 12;
const WORDS = 6;

/** Credentials, with a way to end their access. */
interface Access {
  readonly keyId: string;
  readonly key: string;
  readonly projectId?: string;
  end(): Promise<unknown>;
}

const kindNames = ["a key", "a project", "a service account", "a member"] as const;

const kinds = {
  "a key": async ({ admin, projectId }: Stage) => makeKey(admin, projectId),
  "a project": async ({ admin }: Stage, name: string) => {
    const { id } = await admin.createProject(name);
    return { ...(await makeKey(admin, id)), end: () => admin.call("POST", `/projects/${id}/archive`) };
  },
  "a service account": async ({ admin, projectId }: Stage, name: string) => {
    const path = `/projects/${projectId}/service_accounts`;
    const made = await admin.call<{ id: string; api_key: { id: string; value: string } }>("POST", path, {
      name,
    });
    const { id: keyId, value: key } = made.api_key;
    return { keyId, key, end: () => admin.call("DELETE", `${path}/${made.id}`) };
  },
  "a member": async (stage: Stage, name: string) => {
    const { id, token: session } = await joinMember(stage.gateway, `${name}@example.com`, {
      name: name,
      role: "prompt_tester",
    });
    const { projectId } = stage;
    return { keyId: id, key: session, projectId, end: () => stage.admin.call("DELETE", `/users/${id}`) };
  },
} satisfies Record<(typeof kindNames)[number], (stage: Stage, name: string) => Promise<Access>>;

export const endedAccess: Scenario = {
  name: "ended-access",
  does: "{size} calls under way, half of whose keys, projects, accounts and members are taken away: those alone end, and are charged what came",
  full: 480,
  smoke: 12,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const faults: string[] = [];
    const all: Received[] = [];
    let ended = 0;
    let slowestMs = 0;
    try {
      for (let from = 0; from < size; from += MAX_CONCURRENT) {
        const calls = await Promise.all(
          Array.from({ length: Math.min(MAX_CONCURRENT, size - from) }, async (_, index) => {
            const nonce = `n${from + index}`;
            const kind = random.pick(kindNames);
            const access: Access = await kinds[kind](stage, nonce);
            const waitAfter = random.between(0, WORDS - 1);
            const script = { nonce, promptTokens: random.between(1, 50), completionTokens: WORDS, waitAfter };
            const asked = {
              keyId: access.keyId,
              ...(access.projectId && { projectId: access.projectId }),
              model: PLAIN_MODEL.id,
              isStream: random.chance(0.7),
              script,
            };
            const reply = callGateway(asked, { baseUrl: stage.baseUrl, key: access.key });
            return { nonce, kind, access, asked, reply, isEnded: random.chance(0.5) };
          }),
        );
        await until(
          "the provider has all calls",
          async () => (await stage.waiting()).length === calls.length,
        );
        const gone = calls.filter(({ isEnded }) => isEnded);
        const startedAt = performance.now();
        await Promise.all(gone.map(({ access }) => access.end()));
        for (const { nonce, kind, access, asked, reply } of gone) {
          const call = await reply;
          slowestMs = Math.max(slowestMs, performance.now() - startedAt);
          const code = findErrorCode(call);
          if (code !== "invalid_api_key")
            faults.push(`${nonce}, ${kind}: ended with ${code}, ${call.status}`);
          const again = await callGateway(asked, { baseUrl: stage.baseUrl, key: access.key });
          if (again.status !== 401) faults.push(`${nonce}, ${kind}: answered ${again.status} afterwards`);
        }
        ended += gone.length;
        await stage.letGo();
        const received = await Promise.all(calls.map(({ reply }) => reply));
        for (const [index, { isEnded, nonce, kind }] of calls.entries()) {
          if (!isEnded && !received[index]?.isComplete)
            faults.push(`${nonce}, ${kind}: others' end ended it`);
        }
        all.push(...received);
      }
      await until("every hold is resolved", () => openHolds(stage.ledger()) === 0);
      const books = { calls: all, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults: wrong, figures } = reconcile(books);
      return {
        faults: [...faults, ...wrong],
        figures: { ...figures, ended, "slowest end, ms": Math.round(slowestMs) },
      };
    } finally {
      await stage.stop();
    }
  },
};

async function makeKey(admin: Stage["admin"], projectId: string): Promise<Access> {
  const path = `/projects/${projectId}/api_keys`;
  const { id, value } = await admin.call<{ id: string; value: string }>("POST", path, { name: "Ended" });
  return { keyId: id, key: value, end: () => admin.call("DELETE", `${path}/${id}`) };
}
