import { afterEach, expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
afterEach(() => gateway.close());

type List = {
  data: { id: string; model?: string; family?: string; sandbox?: boolean; price?: object | null }[];
};
const list = async (path: string) => (await gateway.admin<List>("GET", `/organization/${path}`)).data;

test("limits that somebody changed are listed apart, until they are the defaults again", async () => {
  gateway = await serveGateway();
  const path = `projects/${gateway.projectId}/rate_limits`;
  const modelsOf = async (query: string) =>
    (await list(`${path}?limit=1000&${query}`)).map(({ model }) => model);
  const all = await modelsOf("");
  expect(await modelsOf("changed=true")).toEqual([]);
  expect(await modelsOf("changed=false")).toEqual(all);
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_day: 0 });
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 3 });
  expect((await modelsOf("changed=true")).toSorted()).toEqual(["sandbox-chat", "sandbox-echo"]);
  expect(await modelsOf("changed=false")).not.toContain("sandbox-echo");
  expect(await list(`${path}?changed=true&limit=1`)).toHaveLength(1);
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_day: null });
  expect(await modelsOf("changed=true")).toEqual(["sandbox-chat"]);
  const { status, error } = await send(`${gateway.baseUrl}/organization/${path}?changed=perhaps`, {
    key: gateway.adminKey,
  });
  expect([status, error.param]).toEqual([400, "changed"]);
});

test("models are listed by family, by whether they have a price, and without those of the sandbox", async () => {
  const provider = { id: "p", kind: "openai", base_url: "http://127.0.0.1:9/v1", api_key: "x" };
  const routes = [{ provider: "p", model: "m" }];
  const config = {
    providers: [provider],
    models: [
      {
        id: "priced",
        family: "chat",
        rate: "1",
        price: { input_per_1m: "1", output_per_1m: "1" },
        routes,
      },
      { id: "unpriced", family: "chat", rate: "1", routes },
    ],
  };
  gateway = await serveGateway({ config: JSON.stringify(config) });
  const find = async (query: string) => (await list(`models?limit=1000&${query}`)).map(({ id }) => id);
  const all = await list("models?limit=1000");
  const idsOf = (isListed: (model: List["data"][number]) => boolean) =>
    all.filter(isListed).map(({ id }) => id);
  expect(await find("family=chat")).toEqual(idsOf(({ family }) => family === "chat"));
  expect(await find("sandbox=true")).toEqual(idsOf(({ sandbox }) => sandbox === true));
  expect(await find("sandbox=false&priced=true")).toEqual(["priced"]);
  expect(await find("sandbox=false&priced=false")).toEqual(["unpriced"]);
  expect(await find("family=chat&priced=true&sandbox=false")).toEqual(["priced"]);
  const { status, error } = await send(`${gateway.baseUrl}/organization/models?family=poems`, {
    key: gateway.adminKey,
  });
  expect([status, error.param]).toEqual([400, "family"]);
});
