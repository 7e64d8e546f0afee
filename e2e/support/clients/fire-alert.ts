import type { Gatehouse } from "../programs/start-gatehouse";
import { adminApi } from "./admin-api";
import { callModel } from "./send";

/** A spend alert at this threshold in cents. */
export const alertAt = (threshold_amount: number) => ({
  currency: "USD",
  interval: "month",
  threshold_amount,
  notification_channel: { type: "email", recipients: ["finance@example.com"] },
});

/** A charge of 3 cents in a project with an alert at 2. */
export async function fireSpendAlert(projectId: string, gatehouse: Gatehouse): Promise<void> {
  const api = adminApi(gatehouse);
  const model = `cent-a-word-in-${projectId.slice(-8)}`;
  await api.createModel({
    id: model,
    family: "chat",
    rate: "1",
    price: { input_per_1m: "0", output_per_1m: "10000" },
    routes: [{ provider: "sandbox", model: "sandbox-echo" }],
  });
  await api.call("POST", `/projects/${projectId}/spend_alerts`, alertAt(2));
  const { value } = await api.createKey(projectId, "a");
  await callModel(gatehouse, value, model);
}
