import { expect, test } from "bun:test";
import type { Project } from "@/lib/contract/operations/projects/projects";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;
let waiting: ReturnType<typeof createBatchClient>;

const forty = Array.from({ length: 40 }, (_, index) => chatLine(`${index}`, "x"));

/** Four batches that wait for a limit of their project: as many as it may have begun at once. */
serveForEach(async (served) => {
  gateway = served;
  waiting = createBatchClient(gateway);
  await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 20 });
  for (const _ of [1, 2, 3, 4]) {
    const { id } = await waiting.create(forty);
    await waiting.follow(
      id,
      (batch) => (batch as { pace?: { waits_for: string } }).pace?.waits_for !== undefined,
    );
  }
});

test("batches that wait for their project's limits leave slots for those of other projects", async () => {
  const { id } = await gateway.admin<Project>("POST", "/organization/projects", { name: "Other" });
  const path = `/organization/projects/${id}/api_keys`;
  const { value: key } = await gateway.admin<{ value: string }>("POST", path, { name: "nightly" });
  const other = createBatchClient({ baseUrl: gateway.baseUrl, key });
  const { id: batchId } = await other.create([chatLine("a", "x")]);
  expect(await other.follow(batchId)).toMatchObject({
    status: "completed",
    request_counts: { completed: 1 },
  });
});

test("a batch that waits for a slot is canceled without one, and its file can be deleted", async () => {
  const { id, input_file_id } = await waiting.create(forty);
  await waiting.openai.batches.cancel(id);
  expect(await waiting.follow(id)).toMatchObject({ status: "cancelled", request_counts: { completed: 0 } });
  expect(await waiting.openai.files.delete(input_file_id)).toMatchObject({ deleted: true });
});
