import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { ErrorBody } from "@/lib/contract/errors";
import type {
  ApplyRequest,
  ConfigurationApplication,
  ConfigurationPlan,
} from "@/lib/contract/operations/configuration/configuration";
import { writePlan } from "./write-plan";

/** A fault that is shown as it is, and ends the program with 1, or with 2 where something has moved. */
class PlanFault extends Error {
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
  }
}

/** Calls the gateway at GATEWAY_URL with the key in GATEHOUSE_KEY. @throws PlanFault */
async function callGateway<Reply>(method: "GET" | "POST", path: string, body?: object): Promise<Reply> {
  const url = process.env.GATEWAY_URL || "http://127.0.0.1:8080";
  const key = process.env.GATEHOUSE_KEY || process.env.GATEHOUSE_ADMIN_KEY;
  if (!key) throw new PlanFault("Set GATEHOUSE_KEY to an admin key, or to a key of your own.");
  const init = {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  };
  const response = await fetch(`${url.replace(/\/+$/, "")}/v1${path}`, init).catch((error: unknown) => {
    throw new PlanFault(
      `The gateway at ${url} doesn't answer (${String(error)}): set GATEWAY_URL to its address.`,
    );
  });
  const reply: unknown = await response.json().catch(() => null);
  if (response.ok) return reply as Reply;
  const error = (reply as ErrorBody | null)?.error;
  throw new PlanFault(
    error?.message ?? `The gateway answered ${response.status}.`,
    response.status === 412 ? 2 : 1,
  );
}

// `npm run plan -- FILE` ends with 0 where file and gateway are the same, with 2 where they differ, and with 1 after a
// fault. `npm run apply -- PLAN` ends with 0 once it is applied, and with 2 where something has moved since.

const usage = {
  plan: "npm run plan -- FILE [--json]",
  apply: "npm run apply -- PLAN [--back ID…|all] [--remove ID…|all] [--json]",
};

const [, , command, ...given] = process.argv;
try {
  process.exitCode = await (command === "apply" ? apply() : plan());
} catch (error) {
  if (!(error instanceof PlanFault)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

async function plan(): Promise<number> {
  const { values, argument } = readArguments("plan");
  const planned = await callGateway<ConfigurationPlan>("POST", "/organization/configuration/plan", {
    file: readFile(argument),
  });
  console.log(values.json ? JSON.stringify(planned, null, 2) : writePlan(planned));
  return planned.changes.length + planned.at_start.length > 0 ? 2 : 0;
}

async function apply(): Promise<number> {
  const { values, argument } = readArguments("apply");
  const path = `/organization/configuration/plans/${encodeURIComponent(argument)}`;
  const planned = await callGateway<ConfigurationPlan>("GET", path);
  const removals = planned.changes.filter(({ kind }) => kind === "remove").map(({ id }) => id);
  const here = planned.changes.filter(({ kind, origin }) => origin === "here" && kind !== "remove");
  const body: ApplyRequest = {
    plan_id: planned.id,
    back: choose(
      values.back,
      here.map(({ id }) => id),
    ),
    remove: choose(values.remove, removals),
    secrets: Object.fromEntries(planned.secrets.map((name) => [name, readSecret(name)])),
  };
  const applied = await callGateway<ConfigurationApplication>(
    "POST",
    "/organization/configuration/apply",
    body,
  );
  const count = applied.changes.length;
  console.log(
    values.json
      ? JSON.stringify(applied, null, 2)
      : `Applied ${count} change${count === 1 ? "" : "s"} of ${planned.id} as ${applied.id}.`,
  );
  return 0;
}

function readArguments(name: keyof typeof usage) {
  try {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        back: { type: "string", multiple: true },
        remove: { type: "string", multiple: true },
      },
    });
    const [argument] = positionals;
    if (argument === undefined || positionals.length > 1) throw new TypeError("name one");
    return { values, argument };
  } catch (error) {
    throw new PlanFault(`${error instanceof Error ? error.message : String(error)}. Usage: ${usage[name]}`);
  }
}

function choose(named: readonly string[] = [], all: readonly string[]): string[] {
  return named.includes("all") ? [...all] : [...named];
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new PlanFault(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readSecret(name: string): string {
  const secret = process.env[name];
  if (!secret) throw new PlanFault(`Set ${name} in the environment: a provider is added with it.`);
  return secret;
}
