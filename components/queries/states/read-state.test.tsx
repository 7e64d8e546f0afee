import { expect, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { DataTable } from "@/components/ui/table/data-table";
import { ReadState } from "./read-state";

type Row = { readonly id: string };

/** A list as it is shown. `empty` is handled by the read's state or by the list itself. */
function show(data: unknown, isPlaceholderData: boolean, isOwnEmpty = false): string {
  const read = {
    data,
    error: null,
    dataUpdatedAt: 0,
    isPlaceholderData,
    isFetching: false,
    refetch: () => {},
  };
  const rows = ([data].flat() as (Row | { data: Row[] })[]).flatMap((one) =>
    "data" in one ? one.data : one,
  );
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ReadState read={read} to="list" skeleton="Loading" {...(!isOwnEmpty && { empty: "No calls yet" })}>
        {() =>
          isOwnEmpty && rows.length === 0 ? (
            "No calls yet"
          ) : (
            <DataTable
              caption="Calls"
              columns={[{ id: "id", header: "Call", cell: ({ id }) => id }]}
              rows={rows}
              rowId={({ id }) => id}
            />
          )
        }
      </ReadState>
    </QueryClientProvider>,
  );
}

test("that the filter before found nothing is not said of the present one", () => {
  for (const [data, isOwnEmpty] of [
    [[], false],
    [{ data: [] }, false],
    [[{ data: [] }, { data: [] }], true],
  ] as const) {
    expect(show(data, true, isOwnEmpty)).toBe("Loading");
    expect(show(data, false, isOwnEmpty)).toBe("No calls yet");
  }
});

test("rows of the filter before stay, and are marked until those of the present one have come", () => {
  for (const data of [[{ id: "req_1" }], [{ data: [] }, { data: [{ id: "req_1" }] }]]) {
    expect(show(data, true)).toContain("req_1");
    expect(show(data, true)).toContain('aria-busy="true"');
    expect(show(data, false)).toContain("req_1");
    expect(show(data, false)).not.toContain('aria-busy="');
  }
});
