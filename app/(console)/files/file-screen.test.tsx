import { expect, test } from "bun:test";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { useFileFilter } from "./file-screen";

function Active() {
  const { active, parameters } = useFileFilter("proj_1");
  return `${active.join(" ")}: ${parameters.purpose}`;
}

const showActive = (address: string) =>
  renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams(address)}>
      <Active />
    </SearchParamsContext>,
  );

test("a purpose that no file can have filters nothing and isn't counted as a filter", () => {
  expect(showActive("purpose=bogus")).toBe(": undefined");
  expect(showActive("purpose=batch")).toBe("purpose: batch");
});
