import { expect, test } from "bun:test";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { batchStatuses } from "@/lib/contract/calls/task-statuses";
import { useStatusModelFilter } from "./status-model-filters";

function Active() {
  const { active, parameters } = useStatusModelFilter("proj_1", batchStatuses);
  return `${active.join(" ")}: ${parameters.status} ${parameters.model}`;
}

const showActive = (address: string) =>
  renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams(address)}>
      <Active />
    </SearchParamsContext>,
  );

test("a status that no batch can have, or an empty model, filters nothing and isn't counted as a filter", () => {
  expect(showActive("status=bogus&model=%20")).toBe(": undefined undefined");
  expect(showActive("status=bogus&model=gpt-5")).toBe("model: undefined gpt-5");
  expect(showActive("status=completed")).toBe("status: completed undefined");
});
