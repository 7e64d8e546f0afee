import * as z from "zod/mini";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import type {
  ConfigurationApplication,
  ConfigurationPlan,
} from "@/lib/contract/operations/configuration/configuration";
import type { CreatedInvite } from "@/lib/contract/operations/people/invites";
import { type AuthenticationContext, authenticateAgain } from "../../access/authenticate";
import { authorize } from "../../access/authorize";
import { toKeyCreator } from "../../access/caller";
import { buildChangeRequest, type ChangeRequestContext } from "../../access/change-request";
import type { AuditLogReader } from "../../changes/audit/audit-log-reader.sql";
import type { Transaction } from "../../changes/transactions.sql";
import { toUnixSeconds } from "../../clock";
import {
  type Configuration,
  type ConfigurationFile,
  configurationFile,
} from "../../configuration/configuration";
import { applyPlan, UNDO_MS, undoApplication } from "../../configuration-plans/apply";
import { findStartDifferences } from "../../configuration-plans/compare";
import { exportFile, writeYaml } from "../../configuration-plans/export";
import { readFile } from "../../configuration-plans/file-reader";
import {
  findLackedImportRead,
  overlayOrganization,
} from "../../configuration-plans/openai/overlay-organization";
import { openAdminApi, readOrganization } from "../../configuration-plans/openai/read-organization";
import { overlayCsv } from "../../configuration-plans/overlay-csv";
import { comparePast, readPast } from "../../configuration-plans/past/read-past";
import { findMakerIn, findPlan, makePlan } from "../../configuration-plans/plan";
import type { ApplicationRecord, PlanRecord } from "../../configuration-plans/plan-store.sql";
import type { OperationCall, SettingsView } from "../../configuration-plans/section";
import type { PlanContext, Planner, SentInvitation } from "../../configuration-plans/stage";
import { parseWith } from "../../http/parse-with";
import { respondWithText } from "../../http/response";
import { toProvider } from "../../models/providers/providers";
import type { InviteStore } from "../../people/invite-store.sql";
import { invalid, missingPermission } from "../../refusal";
import type { AnyHandler, AnyInput, Handlers, Input } from "../handler";
import { paginate } from "../paginate";

/** What is set in a unit of work, with the operations there. */
interface Inside {
  readonly context: SettingsView & ChangeRequestContext;
  readonly handlers: Omit<Handlers, ConfigurationIds>;
  /** Sends what its handlers have mailed. */
  sendMails(): void;
}

interface Context extends PlanContext, Omit<SettingsView, "invited">, AuthenticationContext {
  readonly invites: InviteStore;
  readonly auditLog: AuditLogReader;
  /** The file that the gateway was started with. */
  readonly configuration: Configuration;
  openInside(transaction: Transaction): Promise<Inside>;
}

export type ConfigurationIds =
  | "retrieveConfiguration"
  | "compareConfigurations"
  | "planConfiguration"
  | "planOpenaiImport"
  | "retrieveConfigurationPlan"
  | "applyConfiguration"
  | "listConfigurationApplications"
  | "undoConfiguration";

export function configurationRoutes(context: Context): Handlers<ConfigurationIds> {
  const plannerOf = (input: Asked) => toPlanner(context, input);
  return {
    retrieveConfiguration: async (input) => {
      const { parts, at } = input.query;
      if (at !== undefined) {
        const past = await readPast(context, plannerOf(input), { at, parts, param: "at" });
        return { object: "configuration", file: writeYaml(past), content: past, left_out: [] };
      }
      const { file, leftOut } = exportFile(await viewOf(context), input.caller.permissionsIn(null), parts);
      return { object: "configuration", file: writeYaml(file), content: file, left_out: [...leftOut] };
    },
    compareConfigurations: async (input) => {
      const { from, until = toUnixSeconds(context.runtime.clock.nowMs()), parts } = input.query;
      if (until < from) throw invalid("until", "until must not be before from.");
      const before = await readPast(context, plannerOf(input), { at: from, parts, param: "from" });
      const after = await readPast(context, plannerOf(input), { at: until, parts, param: "until" });
      const changes = (await comparePast(await viewOf(context), before, after)).map(
        ({ id, path, kind, fields }) => ({ id, path, kind, fields }),
      );
      return { object: "configuration.changes", from, until, changes };
    },
    planConfiguration: async (input) => {
      const { file, source } = await readSource(context, plannerOf(input), input.body);
      const mayAudit = input.caller.permissionsIn(null).has("api.audit_logs.read");
      const plan = await makePlan(context, plannerOf(input), {
        file,
        source,
        atStart: findStartDifferences(file, context.configuration),
        findMaker: mayAudit ? findMakerIn(context.auditLog) : async () => null,
      });
      return describePlan(plan);
    },
    planOpenaiImport: async (input) => {
      const { admin_key: key, base_url = OPENAI_URL } = input.body;
      refuseUnread(input);
      const server = toProvider(context.directory, { id: "import", kind: "openai", base_url });
      const theirs = await readOrganization(openAdminApi(server, key));
      const { file, noCounterpart } = overlayOrganization(await viewOf(context), theirs);
      const draft = {
        file,
        source: "openai",
        atStart: [],
        findMaker: async () => null,
        noCounterpart,
      } as const;
      return describePlan(await makePlan(context, plannerOf(input), draft));
    },
    retrieveConfigurationPlan: async (input) =>
      describePlan(await findPlan(context, plannerOf(input), input.params.plan_id)),
    applyConfiguration: async (input) => {
      const person = toKeyCreator(input.caller);
      const { applied, invitations } = await applyPlan(context, plannerOf(input), person, input.body);
      return { ...describeApplication(applied), invitations: [...invitations] };
    },
    listConfigurationApplications: ({ query }) =>
      paginate(context.plans.applicationPages(), query, describeApplication),
    undoConfiguration: async (input) => {
      const id = input.params.application_id;
      return { object: "configuration.undo", id, ...(await undoApplication(context, plannerOf(input), id)) };
    },
  };
}

/** The file that is planned. @throws Refusal 400 that names all faults. */
async function readSource(
  context: Context,
  planner: Planner,
  { file = "", csv, at, parts }: Input<"planConfiguration">["body"],
): Promise<{ readonly file: ConfigurationFile; readonly source: ConfigurationPlan["source"] }> {
  if (at !== undefined)
    return { file: await readPast(context, planner, { at, parts, param: "at" }), source: "past" };
  const source = csv === undefined ? "file" : "csv";
  const read = csv === undefined ? await readFile(file) : overlayCsv(await viewOf(context), csv);
  if ("faults" in read) throw invalid(source, describeFaults(read.faults));
  return { file: read.file, source };
}

const OPENAI_URL = "https://api.openai.com/v1";

/** Before the other organization is read. @throws Refusal 403. */
function refuseUnread({ caller }: Asked): void {
  const lacked = findLackedImportRead(caller.permissionsIn(null));
  if (lacked) throw missingPermission(lacked);
}

/** What is set now. */
async function viewOf<Base extends Context>(context: Base) {
  return { ...context, invited: await context.invites.listPending(context.runtime.clock.nowMs()) };
}

type Asked = Pick<Input<"retrieveConfiguration">, "caller" | "headers" | "address" | "request">;

/** Whoever asked, whose rights each operation of a plan is judged by. */
function toPlanner(context: Context, asked: Asked): Planner {
  return {
    request: asked.request,
    held: asked.caller.permissionsIn(null),
    openStage: async (transaction) => {
      const inside = await context.openInside(transaction);
      const invitations: SentInvitation[] = [];
      return {
        view: inside.context,
        invitations,
        async perform(call) {
          const reply = await perform(inside, asked, call);
          if (call.id !== "createInvite") return;
          const { email, token } = reply as CreatedInvite;
          invitations.push({ email, token });
        },
        sendMails: () => inside.sendMails(),
      };
    },
  };
}

/** Performs an operation as if whoever asked had called it. */
async function perform(
  { context, handlers }: Inside,
  { headers, address, request: { event } }: Asked,
  { id, params = {}, body: draft = {} }: OperationCall,
): Promise<unknown> {
  const operation: Operation = operations[id];
  const caller = authenticateAgain(context, headers);
  authorize(operation, caller, params);
  const body = operation.body && parseWith(operation.body, draft);
  const requestId = event.requestId ?? "";
  const request = buildChangeRequest(context, operation, { requestId, caller, headers, address, params });
  const handle = handlers[id as keyof typeof handlers] as AnyHandler;
  return handle({
    params,
    query: operation.query && parseWith(operation.query, {}),
    body,
    caller,
    request,
    headers,
    address,
  } as unknown as AnyInput);
}

const MOST_FAULTS = 20;

/** All faults at once, so that they are corrected at once. */
function describeFaults(faults: readonly string[]): string {
  const shown = faults.slice(0, MOST_FAULTS).map((fault) => fault.replace(/\.?$/, "."));
  const more = faults.length - shown.length;
  return `The file can't be planned:\n${shown.join("\n")}${more > 0 ? `\nAnd ${more} more.` : ""}`;
}

function describePlan({ id, createdAtMs, changes, details }: PlanRecord): ConfigurationPlan {
  return { object: "configuration.plan", id, created_at: toUnixSeconds(createdAtMs), changes, ...details };
}

function describeApplication(applied: ApplicationRecord): ConfigurationApplication {
  const { id, planId, appliedAtMs, person, changes, undoneAtMs } = applied;
  return {
    object: "configuration.application",
    id,
    plan_id: planId,
    applied_at: toUnixSeconds(appliedAtMs),
    applied_by: person.name,
    changes: [...changes],
    undo_until: undoneAtMs === null ? toUnixSeconds(appliedAtMs + UNDO_MS) : null,
  };
}

let schema: string | undefined;

/** The JSON Schema of the configuration file, by which editors complete and check it. */
export async function answerFileSchema(): Promise<Response> {
  schema ??= JSON.stringify({
    title: "Gatehouse configuration",
    ...z.toJSONSchema(configurationFile, { io: "input", unrepresentable: "any" }),
  });
  return respondWithText(schema, {
    headers: { "content-type": "application/schema+json", "access-control-allow-origin": "*" },
  });
}
