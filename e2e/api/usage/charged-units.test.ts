import { expect, test } from "bun:test";
import { DAY_S } from "@/lib/contract/durations";
import type { ChargedUnits } from "@/lib/contract/operations/usage/charged-units";
import { createOrganizationClient } from "../../support/clients/organization-client";
import { send } from "../../support/clients/send";
import { createTaskClient, type TaskClient } from "../../support/clients/task-client";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";

let gateway: ServedGateway;
let tasks: TaskClient;
let began: number;

/** The gateway's clock starts on 15 January 2027. */
serveForAll((served) => {
  gateway = served;
  tasks = createTaskClient(gateway);
  began = Math.floor(Date.parse("2027-01-01T00:00:00Z") / 1000);
});

const MONTH = 31 * DAY_S;
const draw = async (body: object) => {
  const asked = { model: "sandbox-image", prompt: "a lighthouse", sandbox: { takes_ms: 0 }, ...body };
  const address = `${gateway.baseUrl}/images/generations`;
  const { status } = await tasks.whileTimePasses(
    send(address, { method: "POST", key: gateway.key, body: asked }),
  );
  expect(status).toBe(200);
};
const buildPath = (model: string, start = began, end = began + MONTH) =>
  `/models/${model}/charged_units?start_time=${start}&end_time=${end}`;
const read = (path = buildPath("sandbox-image")) =>
  gateway.admin<ChargedUnits>("GET", `/organization${path}`);

test("units are summed by project and list price, with what was charged for them", async () => {
  await draw({ size: "1000x500", quality: "hd", n: 2 });
  await draw({ size: "1000x500", n: 1 });
  await draw({ size: "1000x500", n: 1 });
  const { data, ...rest } = await read();
  expect(rest).toMatchObject({ model: "sandbox-image", currency: "USD", start_time: began });
  const [project, unit] = [gateway.projectId, "megapixel"];
  expect(data).toMatchObject([
    { project_id: project, unit, list_price: "0.08", units: "1.00", calls: 1, amount: "0.04" },
    { project_id: project, unit, list_price: "0.04", units: "1.00", calls: 2, amount: "0.02" },
  ]);
  expect(data[0]?.project_name).toBeString();
  expect((await read(buildPath("sandbox-image", began + MONTH, began + 2 * MONTH))).data).toEqual([]);
  expect((await read(buildPath("sandbox-echo"))).data).toEqual([]);
});

test("a member sees the units of their projects, and a wrong query is refused with a reason", async () => {
  const ask = createOrganizationClient(gateway.baseUrl);
  const other = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Other" });
  const tokens: string[] = [];
  await gateway.restart(async () => {
    for (const [index, projectId] of [other.id, gateway.projectId].entries()) {
      const role = { roleId: "role_project_viewer", projectId };
      tokens.push((await createMember(gateway.dataFolder, `m${index}`, [role], gateway.runtime)).token);
    }
  });
  const seen = await Promise.all(
    tokens.map(async (token) => (await ask("GET", buildPath("sandbox-image"), undefined, token)).body.data),
  );
  expect(seen).toMatchObject([[], [{ calls: 1 }, { calls: 2 }]]);

  const refused = async (path: string) => {
    const { status, body } = await ask("GET", path, undefined, gateway.adminKey);
    return [status, (body.error as { param: string }).param];
  };
  expect(await refused(buildPath("unknown"))).toEqual([404, "model_id"]);
  expect(await refused(buildPath("sandbox-image", began, began))).toEqual([400, "end_time"]);
  expect(await refused("/models/sandbox-image/charged_units?start_time=1")).toEqual([400, "end_time"]);
});
