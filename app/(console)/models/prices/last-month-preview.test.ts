import { expect, test } from "bun:test";
import { computeMonthAtUnitPrice } from "./last-month-preview";

const charged = (project: string, list_price: string, units: string, amount: string, calls = 1) => ({
  project_id: `proj_${project}`,
  project_name: project,
  unit: "image",
  list_price,
  units,
  calls,
  amount,
});
const present = { unit: "image", amount: "0.04", qualities: { high: "0.16", low: "0.01" } } as const;
const month = [
  charged("Ads", "0.16", "10.00", "0.80"),
  charged("Ads", "0.04", "20.00", "0.40"),
  charged("Press", "0.05", "4.5", "0.1125", 3),
];

test("last month's units are priced by project, and units of another quality at that quality's price", () => {
  expect(computeMonthAtUnitPrice(month, { rate: "1", amount: "0.08" }, present)).toEqual({
    projects: [
      { id: "proj_Ads", name: "Ads", charged: "1.20", atPrice: "3.20" },
      { id: "proj_Press", name: "Press", charged: "0.1125", atPrice: "0.36" },
    ],
    total: { id: "total", name: "All projects", charged: "1.3125", atPrice: "3.56" },
    earlier: 3,
  });
});

test("nine projects have a row each: one other project is named rather than counted", () => {
  const nine = Array.from({ length: 9 }, (_, index) => charged(`P${index}`, "0.04", "1.00", "0.02"));
  const priced = computeMonthAtUnitPrice(nine, { rate: "0.5", amount: "0.02" }, present);
  expect(priced?.projects.map(({ name }) => name)).toEqual(nine.map(({ project_name }) => project_name));
});

test("all but the largest eight projects are one row", () => {
  const many = Array.from({ length: 11 }, (_, index) => charged(`P${index}`, "0.04", "1.00", "0.02"));
  const priced = computeMonthAtUnitPrice(many, { rate: "0.5", amount: "0.02" }, present);
  expect(priced?.projects).toHaveLength(9);
  expect(priced?.projects.at(-1)).toMatchObject({
    name: "3 other projects",
    charged: "0.06",
    atPrice: "0.03",
  });
  expect(priced?.total).toMatchObject({ charged: "0.22", atPrice: "0.11" });
  expect(priced?.earlier).toBe(0);
});

test.each([
  { rate: "0", amount: "1" },
  { rate: "", amount: "1" },
  { rate: "1", amount: "ten" },
])("nothing is told of what is no price yet: %p", (typed) => {
  expect(computeMonthAtUnitPrice(month, typed, present)).toBeNull();
});
