import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { ApiNamesContext } from "./api-name";
import { Field } from "./fields/field";
import { DataTable } from "./table/data-table";

const show = (isOn: boolean) =>
  renderToStaticMarkup(
    <ApiNamesContext value={isOn}>
      <Field id="a" label="Requests per minute" apiName="max_requests_per_1_minute">
        <input id="a" />
      </Field>
      <DataTable
        caption="Entries"
        columns={[{ id: "kind", header: "Entry", apiName: "kind_of_entry", cell: () => "Payment" }]}
        rows={[{ id: "1" }]}
        rowId={({ id }) => id}
      />
    </ApiNamesContext>,
  );

test("one switch shows the API's names in forms and tables, or hides all of them", () => {
  for (const name of ["max_requests_per_1_minute", "kind_of_entry"]) {
    expect(show(true)).toContain(name);
    expect(show(false)).not.toContain(name);
  }
});
