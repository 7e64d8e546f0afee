import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { joinMember } from "@/e2e/support/clients/join-member";
import type { AuditHead } from "@/lib/gateway/changes/audit/audit-chain.sql";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { keepCalling } from "../../clients/keep-calling";
import { forge } from "../../forge";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL, type Stage, startFaultStage } from "../../start-stage";

const CALLS = 20;
const HEAD_FILE = "store-head";

export const forgedRows: Scenario = {
  name: "forged-rows",
  does: "{size} times somebody changes, removes or invents a row by hand, anywhere: doctor tells each time",
  full: 2_000,
  smoke: 40,
  async run({ size, random }) {
    const stage = await startFaultStage();
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-forged-"));
    try {
      await fill(stage);
      const head = await stage.admin.call<AuditHead>("GET", "/audit_logs/head");
      // A restart moves everything into the database file.
      await stage.gateway.restart();
      const kept = join(dirname(stage.databasePath), HEAD_FILE);
      if (existsSync(kept)) copyFileSync(kept, join(folder, HEAD_FILE));
      const path = join(folder, "gatehouse.sqlite");
      const faultsAfter = (work: (database: Database) => unknown) => {
        rmSync(path, { force: true });
        copyFileSync(stage.databasePath, path);
        using database = new Database(path);
        work(database);
        return examine(path, Date.now(), head).flatMap((finding) => finding.faults);
      };
      const faults = faultsAfter(() => {}).map((fault) => `Untouched: ${fault}`);
      let told = 0;
      for (let count = 0; count < size; count++) {
        let done = "";
        const found = faultsAfter((database) => (done = forge(database, random)));
        if (found.length === 0) faults.push(`${done}, and doctor says nothing`);
        told += found.length;
      }
      return { faults, figures: { forged: size, told } };
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await stage.stop();
    }
  },
};

/** Writes at least one row to every table that doctor checks. */
async function fill(stage: Stage): Promise<void> {
  const { admin, projectId } = stage;
  const { call } = admin;
  const { id: userId } = await joinMember(stage.gateway, "ada@example.com", { name: "Ada" });
  await call("POST", "/roles", { role_name: "Auditors", permissions: ["api.audit_logs.read"] });
  await call("POST", `/projects/${projectId}/rate_limits/rl_${PLAIN_MODEL.id}`, {
    max_requests_per_1_minute: 500,
  });
  await call("POST", `/projects/${projectId}/users`, { user_id: userId, role: "member" });
  await call("POST", `/projects/${projectId}/spend_limit`, {
    currency: "USD",
    interval: "month",
    threshold_amount: 500,
  });
  await call("POST", `/projects/${projectId}/service_accounts`, { name: "Robot" });
  await call("POST", "/models/sandbox-echo", { rate: "0.5" });
  await call("POST", "/payments", { amount: "25.00", reference: "Invoice 7" });
  await call("POST", "/invites", { email: "ben@example.com", role: "reader", projects: [] });
  const { id } = await call<{ id: string }>("POST", "/groups", { name: "Team" });
  await call("POST", `/groups/${id}/users`, { user_id: userId });
  await keepCalling(stage, {
    next: (count) =>
      count < CALLS && {
        model: PLAIN_MODEL.id,
        isStream: false,
        script: { promptTokens: 3, completionTokens: 2 },
      },
  });
}
