import { expect, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import { buildReadKey, type ReadId } from "@/lib/console/reads/reads";
import { invalidateReads, type Refetch } from "./use-action";

const reads: readonly ReadId[] = ["listRoles", "listProjectUserRoles", "explainPermission"];

async function findOutdated(refetch: Refetch): Promise<readonly ReadId[]> {
  const client = new QueryClient();
  for (const read of reads) client.setQueryData(buildReadKey(read, { project_id: "proj_1" }), {});
  await invalidateReads(client, refetch);
  const isOutdated = (read: ReadId) =>
    client.getQueryState(buildReadKey(read, { project_id: "proj_1" }))?.isInvalidated;
  return reads.filter(isOutdated);
}

test("an action makes the reads outdated that it names, whatever their parameters, or all of them", async () => {
  expect(await findOutdated([])).toEqual([]);
  expect(await findOutdated(["listRoles"])).toEqual(["listRoles"]);
  expect(await findOutdated("all")).toEqual(reads);
});
